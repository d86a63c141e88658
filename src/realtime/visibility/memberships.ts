import { LRUCache } from 'lru-cache';
import type { Hub } from '../../events/hub.ts';
import type { RightsChange } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import { estimateBytes } from '../../lib/estimate-bytes.ts';
import type { ChannelUserRecord } from '../../store/records/chat.ts';
import type { CommunityUserRecord } from '../../store/records/community.ts';
import type { Store } from '../../store/store.ts';

/** Where membership decides who sees an event. */
export interface MembershipScope {
  type: 'community' | 'channel';
  /** Public id. */
  id: string;
}

export type Membership = CommunityUserRecord | ChannelUserRecord;

/**
 * The memberships of those who listen, remembered: thousands of listeners cost no command an event. The log tells of
 * every change of a membership before it tells of what was committed later, so what is remembered is never older than
 * the event it decides on.
 */
export interface Memberships {
  /** By user id; null for who has none. Whoever is not there yet is loaded, all at once. */
  load(
    networkId: string,
    place: MembershipScope,
    userIds: Iterable<string>,
  ): Promise<ReadonlyMap<string, Membership | null>>;
  close(): void;
}

interface CachedMembership {
  membership: Membership | null;
}

/** Ids and keys of the memberships that changed, or all of them. */
interface Changed {
  names: Set<string>;
  isAll: boolean;
}

/** Heap that remembered memberships hold at most. */
const MAX_BYTES = 4 * 1_048_576;
/** Of an entry itself, in both maps. */
const ENTRY_BYTES = 256;

export function createMemberships(hub: Hub, { batchers, roleBook }: Pick<Store, 'batchers' | 'roleBook'>): Memberships {
  const known = new LRUCache<string, CachedMembership>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ membership }, key) => ENTRY_BYTES + 2 * key.length + estimateBytes(membership),
    dispose: ({ membership }) => void (membership && keyOfId.delete(membership._id.toHexString())),
  });
  const keyOfId = new Map<string, string>();
  /** What changed while each load was under way: that is used once and not remembered. */
  const underWay = new Set<Changed>();

  function note({ collection, id, inserted: made }: RightsChange): void {
    if (collection === 'sessions') return;
    if (collection === 'roles') {
      roleBook.forgetAll();
      forgetAll();
      return;
    }
    const key = keyOfId.get(id) ?? (made && keyOfRecord(collection, made as Membership));
    // Of a record that nobody asked for yet its id alone is known.
    for (const { names } of underWay) names.add(id).add(key ?? id);
    if (key) known.delete(key);
  }

  function forgetAll(): void {
    known.clear();
    for (const changed of underWay) changed.isAll = true;
  }
  const closers = [hub.onRights(note), hub.onGap(forgetAll)];

  return {
    async load(networkId, { type, id }, userIds) {
      const found = new Map<string, Membership | null>();
      const missing: string[] = [];
      for (const userId of userIds) {
        const remembered = known.get(compositeKey(type, networkId, id, userId));
        if (remembered) found.set(userId, remembered.membership);
        else missing.push(userId);
      }
      if (missing.length === 0) return found;
      const changed: Changed = { names: new Set(), isAll: false };
      underWay.add(changed);
      const batcher = type === 'community' ? batchers.communityUsers : batchers.channelUsers;
      const pairs = missing.map((userId) => [id, userId] as const);
      const loaded = await batcher.loadMany(networkId, pairs).finally(() => underWay.delete(changed));
      for (const [index, userId] of missing.entries()) {
        const membership = loaded[index] ?? null;
        found.set(userId, membership);
        const key = compositeKey(type, networkId, id, userId);
        const { names, isAll } = changed;
        const isStale = isAll || names.has(key) || (membership && names.has(membership._id.toHexString()));
        if (!isStale) remember(key, membership);
      }
      return found;
    },
    close() {
      for (const closer of closers) closer();
    },
  };

  function remember(key: string, membership: Membership | null): void {
    known.set(key, { membership });
    if (membership) keyOfId.set(membership._id.toHexString(), key);
  }
}

function keyOfRecord(collection: string, record: Membership): string {
  return collection === 'communityUsers'
    ? compositeKey('community', record.networkId, (record as CommunityUserRecord).communityId, record.userId)
    : compositeKey('channel', record.networkId, (record as ChannelUserRecord).channelId, record.userId);
}
