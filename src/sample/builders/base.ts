import { DEFAULT_ROLES, PERMISSIONS } from '../../access/permissions.ts';
import type { BaseRecord } from '../../store/records/base.ts';
import type { SampleContext } from '../context.ts';

/** Fields of every record; `updatedAt` is `createdAt` by default. */
export function baseRecord(
  context: SampleContext,
  identity: { kind: string; name: string },
  given: { createdAt?: Date; updatedAt?: Date },
): BaseRecord {
  const createdAt = given.createdAt ?? context.at(0);
  return {
    _id: context.id(identity.kind, identity.name),
    networkId: context.networkId,
    createdAt,
    updatedAt: given.updatedAt ?? createdAt,
  };
}

/** Counters of a record without flags and reactions. */
export const NO_REACTIONS = { flagCount: 0, hashFlag: null, reactionsCount: 0 } as const;

/** The union of the permissions of default roles. */
export function permissionsOf(roles: readonly string[]): string[] {
  const given = new Set<string>(
    DEFAULT_ROLES.filter((role) => roles.includes(role.roleId)).flatMap((role) => role.permissions),
  );
  return PERMISSIONS.filter((permission) => given.has(permission));
}
