import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { compositeKey } from '../lib/composite-key.ts';
import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { ReadBudget } from '../limits/read-budget.ts';
import { type Batcher, type BatchSource, createBatcher } from './batcher.ts';
import type { CollectionName, Records } from './collections.ts';
import { type Bannable, withoutEndedBan } from './ended-bans.ts';
import type { Find } from './find.ts';
import { cacheLists } from './keyset-batcher.ts';
import { createLoadSchedule, type Rank } from './load-schedule.ts';
import { bytesOf, createLoader, type Loader, loadMany } from './loader.ts';
import { bytesOfReactors, REACTOR_FIELDS, reactors } from './reactors.ts';
import type { RecordCache } from './record-cache/record-cache.ts';
import { type RoleCache, withPermissions } from './role-cache.ts';
import { receiptCounts, seenUpTo, uncountedSegments } from './segments.ts';
import { byFeedId, byInternalId, byKey, byKeyMany, byPair, byPairMany } from './sources.ts';

/**
 * Creates the batchers that all requests of the process share: one per lookup.
 * @param roleCache resolves the permissions of members, users and sessions
 * @param records caches records that are found by a unique key; null: no cache
 * @param batcherOf creates a batcher for a source; @default {@link createBatcher}
 */
export function createBatchers(
  find: Find,
  roleCache: RoleCache,
  records: RecordCache | null = null,
  batcherOf: typeof createBatcher = createBatcher,
) {
  const kept = <Key, Name extends CollectionName>(name: Name, source: BatchSource<Key, Records[Name]>) =>
    records ? records.cached(name, source) : source;
  const keptMany = <Key, Name extends CollectionName>(name: Name, source: BatchSource<Key, Records[Name][]>) =>
    records ? records.cachedMany(name, source) : source;
  const key = <Name extends CollectionName>(name: Name, field: Parameters<typeof byKey<Name>>[2], where?: Document) =>
    batcherOf(kept(name, byKey(find, name, field, where)));
  const id = <Name extends CollectionName>(name: Name) => batcherOf(kept(name, byInternalId(find, name)));
  const pair = <Name extends CollectionName>(name: Name, fields: Parameters<typeof byPair<Name>>[2]) =>
    batcherOf(kept(name, byPair(find, name, fields)));
  const holders = <Key, Value extends { roles: string[]; permissions: string[] }>(source: BatchSource<Key, Value>) =>
    batcherOf(withPermissions(source, roleCache));
  const categories = cached(byKey(find, 'categories', 'categoryId'));
  return {
    sessions: holders(byKey(find, 'sessions', 'sessionId')),
    users: holders(kept('users', byKey(find, 'users', 'userId'))),
    usersByInternalId: holders(kept('users', byInternalId(find, 'users'))),
    userBlocks: pair('userBlocks', ['userId', 'blockedUserId']),
    follows: pair('follows', ['userId', 'followedUserId']),
    usersByFeed: batcherOf(kept('users', byFeed(find, 'users'))),
    roles: key('roles', 'roleId'),
    files: key('files', 'fileId', { isDeleted: { $ne: true } }),
    communities: key('communities', 'communityId'),
    communitiesByInternalId: id('communities'),
    communitiesByFeed: batcherOf(kept('communities', byFeed(find, 'communities'))),
    communityUsers: holders(kept('communityUsers', byPair(find, 'communityUsers', ['communityId', 'userId']))),
    communityUsersById: holders(kept('communityUsers', byInternalId(find, 'communityUsers'))),
    categories: Object.assign(batcherOf(categories), { invalidate: categories.invalidate }),
    joinRequests: key('joinRequests', 'joinRequestId'),
    myJoinRequests: createBatcher(
      keptMany(
        'joinRequests',
        byPairMany(find, 'joinRequests', ['requestorId', 'targetId'], { targetType: 'community' }),
      ),
    ),
    pinsById: id('pins'),
    pinsOfPost: batcherOf(keptMany('pins', byKeyMany(find, 'pins', 'referenceId'))),
    pinTargets: pair('pinTargets', ['targetType', 'targetId']),
    posts: key('posts', 'postId'),
    postsOfPoll: batcherOf(keptMany('posts', byKeyMany(find, 'posts', 'data.pollId'))),
    comments: key('comments', 'commentId'),
    reactions: key('reactions', 'reactionId'),
    // Records of different types may have the same id: the caller filters by type.
    myReactions: batcherOf(keptMany('reactions', byPairMany(find, 'reactions', ['userId', 'referenceId']))),
    reactors: batcherOf(records?.cachedValues(reactors(find), REACTOR_FIELDS, bytesOfReactors) ?? reactors(find)),
    myFlags: createBatcher(
      keptMany(
        'flags',
        byPairMany(find, 'flags', ['referenceId', 'userId'], {
          referenceType: { $in: ['post', 'comment', 'story', 'message', 'user'] },
        }),
      ),
    ),
    stories: key('stories', 'storyId'),
    storySeens: createBatcher(
      keptMany(
        'storySeens',
        byPairMany(find, 'storySeens', ['userId', 'targetId'], { targetType: { $in: ['community', 'user'] } }),
      ),
    ),
    polls: key('polls', 'pollId'),
    pollVotes: pair('pollVotes', ['userId', 'pollId']),
    videoStreams: key('videoStreams', 'streamId'),
    rooms: key('rooms', 'roomId'),
    channels: key('channels', 'channelId'),
    channelsByInternalId: id('channels'),
    channelUsers: holders(kept('channelUsers', byPair(find, 'channelUsers', ['channelId', 'userId']))),
    channelMembers: batcherOf(keptMany('channelUsers', byPairMany(find, 'channelUsers', ['channelId', 'membership']))),
    channelUsersById: holders(kept('channelUsers', byInternalId(find, 'channelUsers'))),
    channelsOfUser: batcherOf(keptMany('channelUsers', byPairMany(find, 'channelUsers', ['userId', 'membership']))),
    messageFeeds: batcherOf(kept('messageFeeds', byFeedId(find))),
    messageFeedsOfChannel: batcherOf(keptMany('messageFeeds', byKeyMany(find, 'messageFeeds', 'channelId'))),
    messages: key('messages', 'messageId'),
    uncounted: createBatcher(uncountedSegments(find)),
    seenUpTo: createBatcher(seenUpTo(find)),
    receiptCounts: createBatcher(receiptCounts(find)),
    userFeedMarkers: pair('userFeedMarkers', ['userId', 'feedId']),
    userFeedMarkersOfChannel: batcherOf(
      keptMany('userFeedMarkers', byPairMany(find, 'userFeedMarkers', ['userId', 'entityId'])),
    ),
    userFeedMarkersOfUser: batcherOf(keptMany('userFeedMarkers', byKeyMany(find, 'userFeedMarkers', 'userId'))),
    userMarkers: key('userMarkers', 'userId'),
    webhookBodies: batcherOf(byKey(find, 'webhookBodies', 'bodyId')),
  };
}

export type Batchers = ReturnType<typeof createBatchers>;

type LoaderOf<B> = B extends Batcher<infer Key, infer Value> ? Loader<Key, Value> : never;
export type Loaders = { readonly [Name in keyof Batchers]: LoaderOf<Batchers[Name]> };

/**
 * Loaders of records that many others of a page refer to. They wait until loads of a lower rank have finished: one
 * command then fetches the authors of posts and comments together, and one more all their pictures.
 */
const RANKS: { [Name in keyof Batchers]?: Rank } = { users: 1, myReactions: 1, reactors: 1, categories: 1, files: 2 };

/** Loaders of records whose bans end at a time. */
const BANNABLE: ReadonlySet<keyof Batchers> = new Set([
  'users',
  'usersByInternalId',
  'usersByFeed',
  'communityUsers',
  'communityUsersById',
  'channelUsers',
  'channelUsersById',
]);

const currentForm = (record: unknown, hasPassed: (time: Date) => boolean): unknown =>
  withoutEndedBan(record as Bannable, hasPassed);

/**
 * Creates the loaders of one request, which reads every record once and sees the same version of it everywhere.
 * Create them per operation (on a subscription, per event), since they never evict.
 *
 * @param budget of the request; null for loaders that several executions share
 * @param records the store's cache, if the request has read the database since it began; null: always read
 * @param now the clock that ends bans
 */
export function createLoaders(
  batchers: Batchers,
  networkId: string,
  budget: ReadBudget | null,
  records: RecordCache | null = null,
  now: () => Date = () => new Date(),
): Loaders {
  const schedule = createLoadSchedule();
  const created = new Map<string, unknown>();
  const loaders = new Proxy({} as Loaders, {
    get(_, name: string) {
      const known = created.get(name);
      if (known || !Object.hasOwn(batchers, name)) return known;
      const batcher = batchers[name as keyof Batchers] as Batcher<unknown, unknown>;
      const rank = RANKS[name as keyof Batchers] ?? 0;
      const view = BANNABLE.has(name as keyof Batchers) ? currentForm : undefined;
      const loader = createLoader({ name, batcher, networkId, schedule, budget, records, rank, view, now });
      created.set(name, loader);
      return loader;
    },
  });
  if (records) recordCaches.set(loaders, records);
  if (budget) cacheLists(budget, records);
  return loaders;
}

/** The record caches of loaders that were created with one. */
const recordCaches = new WeakMap<Loaders, RecordCache>();

/** Lets lists that are charged to `budget` be cached as the records of `loaders` are. */
export function cacheListsAs(budget: ReadBudget, loaders: Loaders): void {
  cacheLists(budget, recordCaches.get(loaders) ?? null);
}

/** What a request can take from the record cache without reading. Valid while {@link isFresh} returns true. */
export interface PeekedValues extends Pick<RecordCache, 'isFresh' | 'whenFresh'> {
  /** The value of a loader; null: there is none; undefined: it has to be read. */
  value(name: string, networkId: string, key: unknown): unknown;
  /** The records of the list that a text identifies; undefined: it has to be read. */
  list(text: string): readonly Document[] | undefined;
  /**
   * Number of the last change on which any value of a loader depends: no value differs from what it was when the number
   * was the same. null: not known.
   */
  lastChange(name: string): number | null;
  /** The same for lists of a collection. */
  lastChangeOfLists(collection: string): number;
}

/** @returns null for loaders that may not use the cache */
export function peekedValues(batchers: Batchers, loaders: Loaders): PeekedValues | null {
  const records = recordCaches.get(loaders);
  if (!records) return null;
  return {
    isFresh: records.isFresh,
    whenFresh: records.whenFresh,
    value: (name, networkId, key) =>
      (batchers[name as keyof Batchers] as Batcher<unknown, unknown>).peek?.(networkId, key),
    list: records.peekList,
    lastChange: (name) => batchers[name as keyof Batchers].lastChange?.() ?? null,
    lastChangeOfLists: records.lastChangeOf,
  };
}

interface DirectLoad {
  name: string;
  networkId: string;
  keys: readonly unknown[];
  budget: ReadBudget;
  /** The loaders of the request, which decide whether cached records may be used. */
  loaders: Loaders;
}

/**
 * Loads the values of distinct keys as the loaders of a request do, but without their cache, charged to another budget.
 *
 * @param name of the batcher
 * @throws {OperationError} TOO_LARGE
 */
export function loadValues(
  batchers: Batchers,
  { name, networkId, keys, budget, loaders }: DirectLoad,
): Promise<unknown[]> {
  const batcher = batchers[name as keyof Batchers] as Batcher<unknown, unknown>;
  const records = recordCaches.get(loaders) ?? null;
  return budget.load(keys, (some) => loadMany(batcher, networkId, some, records), bytesOf);
}

/** How long a category is cached. Categories are few, are changed by hand and grant no access. */
const CACHED_MS = 10_000;
/** Heap that the cached records may take. */
const MAX_CACHED_BYTES = 2 * 1_048_576;

interface CachedSource<Value> extends BatchSource<string, Value> {
  /** Call it in the process that has just changed a record. */
  invalidate(networkId: string, key: string): void;
}

/** Caches found records for a short time, so that reference data does not cost a command on every page. */
function cached<Value extends object>(source: BatchSource<string, Value>): CachedSource<Value> {
  const cache = new LRUCache<string, Value>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (value, key) => key.length + estimateBytes(value),
    ttl: CACHED_MS,
  });
  let invalidations = 0;
  return {
    collection: source.collection,
    keyOf: source.keyOf,
    peek: (networkId, key) => cache.get(compositeKey(networkId, key)),
    invalidate(networkId, key) {
      invalidations += 1;
      cache.delete(compositeKey(networkId, key));
    },
    async fetch(networkId, keys) {
      const name = (key: string) => compositeKey(networkId, key);
      const known = new Map(
        keys.flatMap((key) => (cache.has(name(key)) ? [[key, cache.get(name(key))!] as const] : [])),
      );
      const missing = keys.filter((key) => !known.has(key));
      if (missing.length === 0) return known;
      const before = invalidations;
      const found = await source.fetch(networkId, missing);
      // Otherwise it may have read a record before the change.
      if (invalidations === before) for (const [key, value] of found) cache.set(name(key), value);
      return new Map([...known, ...found]);
    },
  };
}

/** The user or community that owns a feed. */
function byFeed<Name extends 'users' | 'communities'>(find: Find, name: Name): BatchSource<string, Records[Name]> {
  return {
    collection: name,
    keyOf: (key) => key,
    filterOf: (networkId, key) => ({ networkId, 'feeds.feedId': key }),
    async fetch(networkId, keys) {
      const owners = await find<'users' | 'communities'>(name, { networkId, 'feeds.feedId': { $in: keys } });
      const wanted = new Set(keys);
      const found = new Map<string, Records[Name]>();
      for (const owner of owners) {
        for (const { feedId } of owner.feeds) if (wanted.has(feedId)) found.set(feedId, owner as Records[Name]);
      }
      return found;
    },
  };
}
