import { DEFAULT_ROLES, PERMISSIONS } from '../../access/permissions.ts';
import type { BaseRecord } from '../../store/records/base.ts';
import type { SampleContext } from '../context.ts';

/** The fields that every record begins with; `updatedAt` follows `createdAt` unless given. */
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

/** What nobody has flagged or reacted to yet. */
export const NO_REACTIONS = { flagCount: 0, hashFlag: null, reactionsCount: 0 } as const;

/** The permissions that these default roles give together. */
export function permissionsOf(roles: readonly string[]): string[] {
  const given = new Set<string>(
    DEFAULT_ROLES.filter((role) => roles.includes(role.roleId)).flatMap((role) => role.permissions),
  );
  return PERMISSIONS.filter((permission) => given.has(permission));
}
