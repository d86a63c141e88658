import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { type BatchSource, createBatcher } from './batcher.ts';
import { copyStoredSize } from './decode.ts';
import type { Find } from './find.ts';
import type { RecordCache } from './record-cache/record-cache.ts';
import type { RoleRecord } from './records/user.ts';
import { byKey } from './sources.ts';

/** Roles that are not deleted, by id. */
export type Roles = ReadonlyMap<string, RoleRecord>;

/**
 * The roles as of a call or later: from the record cache if it is fresh, without a promise if they do not have to be
 * waited for. Deleted roles grant nothing.
 */
export interface RoleCache {
  /** Every role of the network. */
  rolesOf(networkId: string): MaybePromise<Roles>;
  /** The roles with these ids. A network may have a thousand roles, of which a request needs a few. */
  rolesById(networkId: string, roleIds: readonly string[]): MaybePromise<Roles>;
  /**
   * The permissions that these roles grant, without duplicates. Only valid while the record cache is fresh; null: not all
   * of the roles are in memory.
   */
  peekPermissions(networkId: string, roleIds: readonly string[]): readonly string[] | null;
  /** Number of the last change of a role, as of {@link BatchSource.lastChange}. */
  lastChange?(): number;
}

/** @param records keeps roles until they change; null: they are read each time */
export function createRoleCache(find: Find, records: RecordCache | null): RoleCache {
  const all: BatchSource<string, Roles> = {
    collection: 'roles',
    keyOf: (key) => key,
    fetch: async (networkId) => new Map([[ALL, byId(await find('roles', { networkId }))]]),
  };
  const keptAll = records?.cachedValues(all, [], (roles) => estimateBytes([...roles.values()])) ?? all;
  const each = byKey(find, 'roles', 'roleId');
  const kept = records?.cached('roles', each) ?? each;
  const { load: loadAll } = createBatcher(keptAll);
  const { loadMany } = createBatcher(kept);

  /** Takes from memory what it may, and reads the rest. */
  function cached<Value>(peek: () => Value | null, read: () => Promise<Value>): MaybePromise<Value> {
    if (records === null) return read();
    if (records.isFresh()) return peek() ?? read();
    return records.whenFresh().then((isFresh) => (isFresh ? peek() : null) ?? read());
  }

  function peekById(networkId: string, roleIds: readonly string[]): Roles | null {
    const roles: RoleRecord[] = [];
    for (const roleId of roleIds) {
      const role = kept.peek?.(networkId, roleId);
      if (role === undefined) return null;
      if (role) roles.push(role);
    }
    return byId(roles);
  }

  return {
    ...(kept.lastChange && { lastChange: kept.lastChange }),
    rolesOf: (networkId) =>
      cached(
        () => keptAll.peek?.(networkId, ALL) ?? null,
        async () => (await loadAll(networkId, ALL))!,
      ),
    rolesById(networkId, given) {
      if (given.length === 0) return NONE;
      const roleIds = [...new Set(given)];
      return cached(
        () => peekById(networkId, roleIds),
        async () => byId((await loadMany(networkId, roleIds)).filter((role) => role !== null)),
      );
    },
    peekPermissions(networkId, roleIds) {
      if (roleIds.length !== 1) {
        const roles = peekById(networkId, roleIds);
        return roles && permissionsFrom(roles, roleIds);
      }
      const role = kept.peek?.(networkId, roleIds[0]!);
      if (role === undefined) return null;
      return role && !role.isDeleted ? role.permissions : NO_PERMISSIONS;
    },
  };
}

/** The only key of the source of all roles. */
const ALL = 'all';

const NONE: Roles = new Map();
const NO_PERMISSIONS: readonly string[] = [];

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

  function decorate(holder: Value, permissions: readonly string[]): Value {
    // Usually nothing has changed, and the record stays the object that other requests share.
    if (areSame(permissions, holder.permissions)) return holder;
    const known = copies.get(holder);
    if (known && areSame(permissions, known.permissions)) return known;
    const copy = Object.freeze(copyStoredSize({ ...holder, permissions: [...permissions] }, holder));
    copies.set(holder, copy);
    return copy;
  }

  const lastChange =
    source.lastChange && roleCache.lastChange
      ? () => Math.max(source.lastChange!(), roleCache.lastChange!())
      : undefined;
  return {
    collection: source.collection,
    keyOf: source.keyOf,
    ...(lastChange && { lastChange }),
    ...(source.partsOf && { partsOf: source.partsOf }),
    async fetch(networkId, keys) {
      const found = await source.fetch(networkId, keys);
      const holders = [...found].filter(([, holder]) => hasRights(holder));
      if (holders.length === 0) return found;
      const roles = await roleCache.rolesById(
        networkId,
        holders.flatMap(([, holder]) => holder.roles),
      );
      for (const [key, holder] of holders) found.set(key, decorate(holder, permissionsFrom(roles, holder.roles)));
      return found;
    },
    ...(source.peek && {
      peek(networkId: string, key: Key) {
        const holder = source.peek!(networkId, key);
        if (!holder || !hasRights(holder)) return holder;
        const permissions = roleCache.peekPermissions(networkId, holder.roles);
        return permissions ? decorate(holder, permissions) : undefined;
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
