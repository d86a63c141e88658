import { LRUCache } from 'lru-cache';
import type { BatchSource } from './batcher.ts';
import { copyStoredSize } from './decode.ts';
import type { Find } from './find.ts';
import type { RoleRecord } from './records/user.ts';

/** The roles of a network that are not deleted, by id. */
export type Roles = ReadonlyMap<string, RoleRecord>;

/** How long roles are cached: every process uses an edited role after this time at the latest. */
export const ROLES_CACHED_MS = 2_000;

export interface RoleCache {
  /** At most {@link ROLES_CACHED_MS} old. */
  rolesOf(networkId: string): Promise<Roles>;
  /** Makes the next call of `rolesOf` read the database: for the process that has just changed a role. */
  invalidate(networkId: string): void;
  /** The same for all networks: for a process that learns of a change from an event. */
  invalidateAll(): void;
}

/** Caches all roles of a network together: they are few, and every record with roles needs some of them. */
export function createRoleCache(find: Find): RoleCache {
  const cache = new LRUCache<string, Promise<Roles>>({ max: 16, ttl: ROLES_CACHED_MS });
  return {
    rolesOf(networkId) {
      const cached = cache.get(networkId);
      if (cached) return cached;
      const roles = find('roles', { networkId }).then(byId);
      cache.set(networkId, roles);
      roles.catch(() => cache.delete(networkId));
      return roles;
    },
    invalidate: (networkId) => void cache.delete(networkId),
    invalidateAll: () => cache.clear(),
  };
}

function byId(roles: RoleRecord[]): Roles {
  return new Map(roles.filter(({ isDeleted }) => !isDeleted).map((role) => [role.roleId, role]));
}

/** The permissions that these roles grant, without duplicates. */
export function permissionsFrom(roles: Roles, roleIds: readonly string[]): string[] {
  if (roleIds.length === 1) return roles.get(roleIds[0]!)?.permissions ?? [];
  return [...new Set(roleIds.flatMap((roleId) => roles.get(roleId)?.permissions ?? []))];
}

interface Holder {
  roles: string[];
  permissions: string[];
}

/**
 * A source whose records have the `permissions` that their roles grant now, not the ones stored when a role was
 * assigned.
 */
export function withPermissions<Key, Value extends Holder>(
  source: BatchSource<Key, Value>,
  roleCache: RoleCache,
): BatchSource<Key, Value> {
  return {
    keyOf: source.keyOf,
    async fetch(networkId, keys) {
      const found = await source.fetch(networkId, keys);
      const holders = [...found].filter(([, { roles, permissions }]) => roles.length > 0 || permissions.length > 0);
      if (holders.length === 0) return found;
      const roles = await roleCache.rolesOf(networkId);
      for (const [key, holder] of holders) {
        const permissions = permissionsFrom(roles, holder.roles);
        // Usually nothing has changed, and the record stays the object that other requests share.
        if (!areSame(permissions, holder.permissions))
          found.set(key, copyStoredSize({ ...holder, permissions }, holder));
      }
      return found;
    },
  };
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((permission, index) => permission === others[index]);
}
