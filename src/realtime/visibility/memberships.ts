import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../context.ts';
import type { Hub } from '../../events/hub.ts';
import type { RightsChange } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import { estimateBytes } from '../../lib/estimate-bytes.ts';
import { withoutEndedBan } from '../../store/ended-bans.ts';
import type { ChannelUserRecord } from '../../store/records/chat.ts';
import type { CommunityUserRecord } from '../../store/records/community.ts';
import type { Store } from '../../store/store.ts';

/** A community or channel whose membership decides who may see an event. */
export interface MembershipScope {
  type: 'community' | 'channel';
  /** Public id. */
  id: string;
}

export type Membership = CommunityUserRecord | ChannelUserRecord;

/**
 * Caches the memberships of subscribers, so that an event with thousands of subscribers needs no database command. The
 * log reports every change of a membership before later events, so a cached membership is never older than the event it
 * is used for; only the activity and read position of a member in a channel may be.
 */
export interface Memberships {
  /** Memberships by user id; null for users without one. Loads all missing memberships in one batch. */
  load(
    networkId: string,
    scope: MembershipScope,
    userIds: Iterable<string>,
  ): Promise<ReadonlyMap<string, Membership | null>>;
  /**
   * Removes the memberships of a user who starts to receive events: missed events are rendered from current records, while
   * the log may not have reported all changes of rights that precede the request.
   */
  forget(user: Pick<Viewer, 'networkId' | 'userId'>): void;
  close(): void;
}

interface CachedMembership {
  /** Network and id of the user. */
  user: string;
  membership: Membership | null;
}

/** Ids and cache keys of memberships that changed during a load, and their users; `isAll` after a gap. */
interface Changed {
  names: Set<string>;
  isAll: boolean;
}

/** Maximum heap use of the cached memberships. */
const MAX_BYTES = 4 * 1_048_576;
/** Overhead of one entry in the maps. */
const ENTRY_BYTES = 384;

export function createMemberships(hub: Hub, { batchers }: Pick<Store, 'batchers'>, now: () => Date): Memberships {
  const hasPassed = (time: Date) => time <= now();
  const current = (membership: Membership | null) => membership && withoutEndedBan(membership, hasPassed);
  const cacheEntries = new LRUCache<string, CachedMembership>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ membership }, key) => ENTRY_BYTES + 2 * key.length + estimateBytes(membership),
    dispose({ user, membership }, key) {
      if (membership) keyOfId.delete(membership._id.toHexString());
      const keys = keysOfUser.get(user);
      if (keys?.delete(key) && keys.size === 0) keysOfUser.delete(user);
    },
  });
  const keyOfId = new Map<string, string>();
  const keysOfUser = new Map<string, Set<string>>();
  /** Changes during each pending load: a membership that changed meanwhile is returned but not cached. */
  const pendingLoads = new Set<Changed>();

  function invalidate({ collection, id, inserted }: RightsChange): void {
    if (collection === 'sessions') return;
    if (collection === 'roles') {
      invalidateAll();
      return;
    }
    const key = keyOfId.get(id) ?? (inserted && keyOfRecord(collection, inserted as Membership));
    // Of an updated record without a cache entry, only the id is known.
    for (const { names } of pendingLoads) names.add(id).add(key ?? id);
    if (key) cacheEntries.delete(key);
  }

  function invalidateAll(): void {
    cacheEntries.clear();
    for (const changed of pendingLoads) changed.isAll = true;
  }
  const unsubscribers = [hub.onRights(invalidate), hub.onGap(invalidateAll)];

  return {
    async load(networkId, { type, id }, userIds) {
      const found = new Map<string, Membership | null>();
      const missing: string[] = [];
      for (const userId of userIds) {
        const cached = cacheEntries.get(compositeKey(type, networkId, id, userId));
        if (cached) found.set(userId, current(cached.membership));
        else missing.push(userId);
      }
      if (missing.length === 0) return found;
      const changed: Changed = { names: new Set(), isAll: false };
      pendingLoads.add(changed);
      const batcher = type === 'community' ? batchers.communityUsers : batchers.channelUsers;
      const pairs = missing.map((userId) => [id, userId] as const);
      const loaded = await batcher.loadMany(networkId, pairs).finally(() => pendingLoads.delete(changed));
      for (const [index, userId] of missing.entries()) {
        const membership = loaded[index] ?? null;
        found.set(userId, current(membership));
        const key = compositeKey(type, networkId, id, userId);
        const user = compositeKey(networkId, userId);
        const { names, isAll } = changed;
        const isChanged = names.has(key) || (membership && names.has(membership._id.toHexString()));
        if (!isAll && !isChanged && !names.has(user)) cache(key, { user, membership });
      }
      return found;
    },
    forget({ networkId, userId }) {
      const user = compositeKey(networkId, userId);
      for (const { names } of pendingLoads) names.add(user);
      for (const key of [...(keysOfUser.get(user) ?? [])]) cacheEntries.delete(key);
    },
    close() {
      for (const unsubscribe of unsubscribers) unsubscribe();
    },
  };

  function cache(key: string, entry: CachedMembership): void {
    cacheEntries.set(key, entry);
    const { user, membership } = entry;
    if (membership) keyOfId.set(membership._id.toHexString(), key);
    const keys = keysOfUser.get(user) ?? new Set();
    keysOfUser.set(user, keys.add(key));
  }
}

function keyOfRecord(collection: string, record: Membership): string {
  return collection === 'communityUsers'
    ? compositeKey('community', record.networkId, (record as CommunityUserRecord).communityId, record.userId)
    : compositeKey('channel', record.networkId, (record as ChannelUserRecord).channelId, record.userId);
}
