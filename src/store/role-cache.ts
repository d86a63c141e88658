import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../lib/maybe-promise.ts';
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
  rolesOf(networkId: string): MaybePromise<Roles>;
  /** The roles that `rolesOf` would return without a read; null if it would read them. */
  knownRolesOf(networkId: string): Roles | null;
  /** Makes the next call of `rolesOf` read the database: for the process that has just changed a role. */
  invalidate(networkId: string): void;
  /** The same for all networks: for a process that learns of a change from an event. */
  invalidateAll(): void;
}

/** Caches all roles of a network together: they are few, and every record with roles needs some of them. */
export function createRoleCache(find: Find): RoleCache {
  const cache = new LRUCache<string, { roles: MaybePromise<Roles> }>({ max: 16, ttl: ROLES_CACHED_MS });
  return {
    rolesOf(networkId) {
      const cached = cache.get(networkId);
      if (cached) return cached.roles;
      const roles = find('roles', { networkId }).then(byId);
      const entry: { roles: MaybePromise<Roles> } = { roles };
      cache.set(networkId, entry);
      roles.then(
        (known) => {
          entry.roles = known;
        },
        () => cache.delete(networkId),
      );
      return roles;
    },
    knownRolesOf(networkId) {
      const roles = cache.get(networkId)?.roles;
      return roles === undefined || roles instanceof Promise ? null : roles;
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
  /** The copies of shared records with other permissions, so that the same version stays the same object. */
  const copies = new WeakMap<Value, Value>();

  function decorate(holder: Value, roles: Roles): Value {
    const permissions = permissionsFrom(roles, holder.roles);
    // Usually nothing has changed, and the record stays the object that other requests share.
    if (areSame(permissions, holder.permissions)) return holder;
    const known = copies.get(holder);
    if (known && areSame(permissions, known.permissions)) return known;
    const copy = Object.freeze(copyStoredSize({ ...holder, permissions }, holder));
    copies.set(holder, copy);
    return copy;
  }

  return {
    collection: source.collection,
    keyOf: source.keyOf,
    ...(source.partsOf && { partsOf: source.partsOf }),
    async fetch(networkId, keys) {
      const found = await source.fetch(networkId, keys);
      const holders = [...found].filter(([, holder]) => hasRights(holder));
      if (holders.length === 0) return found;
      const roles = await roleCache.rolesOf(networkId);
      for (const [key, holder] of holders) found.set(key, decorate(holder, roles));
      return found;
    },
    ...(source.peek && {
      peek(networkId: string, key: Key) {
        const holder = source.peek!(networkId, key);
        if (!holder || !hasRights(holder)) return holder;
        const roles = roleCache.knownRolesOf(networkId);
        return roles ? decorate(holder, roles) : undefined;
      },
    }),
  };
}

function hasRights({ roles, permissions }: Holder): boolean {
  return roles.length > 0 || permissions.length > 0;
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((permission, index) => permission === others[index]);
}
