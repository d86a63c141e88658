import { LRUCache } from 'lru-cache';
import type { BatchSource } from './batcher.ts';
import { countAs } from './decode.ts';
import type { Find } from './find.ts';
import type { RoleRecord } from './records/user.ts';

/** The live roles of a network by their ids. */
export type Roles = ReadonlyMap<string, RoleRecord>;

/** How old what is remembered may be: an edit of a role is everywhere after this long. */
export const ROLES_REMEMBERED_MS = 2_000;

export interface RoleBook {
  /** At most {@link ROLES_REMEMBERED_MS} old. */
  of(networkId: string): Promise<Roles>;
  /** The next question reads anew: for the process that has just changed a role. */
  forget(networkId: string): void;
  /** As {@link forget}, for whoever hears that a role changed somewhere. */
  forgetAll(): void;
}

/** Roles are few and asked about with every record that holds some: all those of a network are read at once. */
export function createRoleBook(find: Find): RoleBook {
  const remembered = new LRUCache<string, Promise<Roles>>({ max: 16, ttl: ROLES_REMEMBERED_MS });
  return {
    of(networkId) {
      const known = remembered.get(networkId);
      if (known) return known;
      const roles = find('roles', { networkId }).then(byId);
      remembered.set(networkId, roles);
      roles.catch(() => remembered.delete(networkId));
      return roles;
    },
    forget: (networkId) => void remembered.delete(networkId),
    forgetAll: () => remembered.clear(),
  };
}

function byId(roles: RoleRecord[]): Roles {
  return new Map(roles.filter(({ isDeleted }) => !isDeleted).map((role) => [role.roleId, role]));
}

/** Everything that these roles give, each once. */
export function permissionsFrom(roles: Roles, roleIds: readonly string[]): string[] {
  if (roleIds.length === 1) return roles.get(roleIds[0]!)?.permissions ?? [];
  return [...new Set(roleIds.flatMap((roleId) => roles.get(roleId)?.permissions ?? []))];
}

interface Holder {
  roles: string[];
  permissions: string[];
}

/** Records whose `permissions` are what their roles give now, whatever was written when they were given. */
export function withPermissions<Key, Value extends Holder>(
  source: BatchSource<Key, Value>,
  book: RoleBook,
): BatchSource<Key, Value> {
  return {
    keyOf: source.keyOf,
    async fetch(networkId, keys) {
      const found = await source.fetch(networkId, keys);
      const holders = [...found].filter(([, { roles, permissions }]) => roles.length > 0 || permissions.length > 0);
      if (holders.length === 0) return found;
      const roles = await book.of(networkId);
      for (const [key, holder] of holders) {
        const permissions = permissionsFrom(roles, holder.roles);
        // As a rule nothing changed, and the record stays the one that others have decoded already.
        if (!areSame(permissions, holder.permissions)) found.set(key, countAs({ ...holder, permissions }, holder));
      }
      return found;
    },
  };
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((permission, index) => permission === others[index]);
}
