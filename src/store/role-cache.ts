import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { type BatchSource, createBatcher } from './batcher.ts';
import { copyStoredSize } from './decode.ts';
import type { Find } from './find.ts';
import type { RecordCache } from './record-cache/record-cache.ts';
import type { RoleRecord } from './records/user.ts';

/** The roles of a network that are not deleted, by id. */
export type Roles = ReadonlyMap<string, RoleRecord>;

export interface RoleCache {
  /**
   * The roles as of this call or later, from the record cache if it is fresh, without a promise if it does not have to
   * wait for that.
   */
  rolesOf(networkId: string): MaybePromise<Roles>;
  /** The roles that are in memory. Only valid while the record cache is fresh; null: not in memory. */
  peek(networkId: string): Roles | null;
}

/**
 * Reads all roles of a network together: they are few, and every record with roles needs some of them.
 *
 * @param records keeps them until a role changes; null: they are read each time
 */
export function createRoleCache(find: Find, records: RecordCache | null): RoleCache {
  const source: BatchSource<string, Roles> = {
    collection: 'roles',
    keyOf: (key) => key,
    fetch: async (networkId) => new Map([[ALL, byId(await find('roles', { networkId }))]]),
  };
  const kept = records?.cachedValues(source, [], (roles) => estimateBytes([...roles.values()])) ?? source;
  const { load } = createBatcher(kept);
  const peek = (networkId: string) => kept.peek?.(networkId, ALL) ?? null;
  const read = async (networkId: string) => (await load(networkId, ALL))!;
  return {
    rolesOf(networkId) {
      if (records === null) return read(networkId);
      if (records.isFresh()) return peek(networkId) ?? read(networkId);
      return records.whenFresh().then((isFresh) => (isFresh ? peek(networkId) : null) ?? read(networkId));
    },
    peek,
  };
}

/** The only key of the source. */
const ALL = 'all';

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
        const roles = roleCache.peek(networkId);
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
