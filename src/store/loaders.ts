import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { compositeKey } from '../lib/composite-key.ts';
import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { ReadBudget } from '../limits/read-budget.ts';
import { type Batcher, type BatchSource, createBatcher } from './batcher.ts';
import type { Records } from './collections.ts';
import { storedBytes } from './decode.ts';
import type { Find } from './find.ts';
import { type RoleBook, withPermissions } from './role-book.ts';
import { seenUpTo, uncountedSegments } from './segments.ts';
import { byInternalId, byKey, byKeyMany, byPair, byPairMany } from './sources.ts';

/**
 * The process-wide side: one batcher a way of finding records.
 * @param book what roles give: members, users and sessions hold it
 * @param batcherOf makes a batcher of a source; @default {@link createBatcher}
 */
export function createBatchers(find: Find, book: RoleBook, batcherOf: typeof createBatcher = createBatcher) {
  const key = <Name extends Parameters<typeof byKey>[1]>(name: Name, field: Parameters<typeof byKey<Name>>[2]) =>
    batcherOf(byKey(find, name, field));
  const holders = <Key, Value extends { roles: string[]; permissions: string[] }>(source: BatchSource<Key, Value>) =>
    batcherOf(withPermissions(source, book));
  const categories = remembered(byKey(find, 'categories', 'categoryId'));
  return {
    sessions: holders(byKey(find, 'sessions', 'sessionId')),
    users: holders(byKey(find, 'users', 'userId')),
    usersByInternalId: holders(byInternalId(find, 'users')),
    userBlocks: batcherOf(byPair(find, 'userBlocks', ['userId', 'blockedUserId'])),
    usersByFeed: batcherOf(byFeed(find, 'users')),
    roles: key('roles', 'roleId'),
    files: batcherOf(byKey(find, 'files', 'fileId', { isDeleted: { $ne: true } })),
    communities: key('communities', 'communityId'),
    communitiesByFeed: batcherOf(byFeed(find, 'communities')),
    communityUsers: holders(byPair(find, 'communityUsers', ['communityId', 'userId'])),
    communityUsersById: holders(byInternalId(find, 'communityUsers')),
    categories: Object.assign(batcherOf(categories), { forget: categories.forget }),
    joinRequests: key('joinRequests', 'joinRequestId'),
    myJoinRequests: createBatcher(
      byPairMany(find, 'joinRequests', ['requestorId', 'targetId'], { targetType: 'community' }),
    ),
    pinsById: batcherOf(byInternalId(find, 'pins')),
    pinsOfPost: batcherOf(byKeyMany(find, 'pins', 'referenceId')),
    pinTargets: batcherOf(byPair(find, 'pinTargets', ['targetType', 'targetId'])),
    posts: key('posts', 'postId'),
    postsOfPoll: batcherOf(byKeyMany(find, 'posts', 'data.pollId')),
    comments: key('comments', 'commentId'),
    reactions: key('reactions', 'reactionId'),
    // Ids of different kinds of records may be equal: whoever asks picks by type.
    myReactions: batcherOf(byPairMany(find, 'reactions', ['userId', 'referenceId'])),
    myFlags: createBatcher(
      byPairMany(find, 'flags', ['referenceId', 'userId'], {
        referenceType: { $in: ['post', 'comment', 'story', 'message', 'user'] },
      }),
    ),
    stories: key('stories', 'storyId'),
    storySeens: createBatcher(
      byPairMany(find, 'storySeens', ['userId', 'targetId'], { targetType: { $in: ['community', 'user'] } }),
    ),
    polls: key('polls', 'pollId'),
    pollVotes: batcherOf(byPair(find, 'pollVotes', ['userId', 'pollId'])),
    videoStreams: key('videoStreams', 'streamId'),
    rooms: key('rooms', 'roomId'),
    channels: key('channels', 'channelId'),
    channelsByInternalId: batcherOf(byInternalId(find, 'channels')),
    channelUsers: holders(byPair(find, 'channelUsers', ['channelId', 'userId'])),
    channelMembers: batcherOf(byPairMany(find, 'channelUsers', ['channelId', 'membership'])),
    channelUsersById: holders(byInternalId(find, 'channelUsers')),
    channelsOfUser: batcherOf(byPairMany(find, 'channelUsers', ['userId', 'membership'])),
    messageFeeds: key('messageFeeds', 'messageFeedId'),
    messageFeedsOfChannel: batcherOf(byKeyMany(find, 'messageFeeds', 'channelId')),
    messages: key('messages', 'messageId'),
    uncounted: createBatcher(uncountedSegments(find)),
    seenUpTo: createBatcher(seenUpTo(find)),
    userFeedMarkers: batcherOf(byPair(find, 'userFeedMarkers', ['userId', 'feedId'])),
    userFeedMarkersOfChannel: batcherOf(byPairMany(find, 'userFeedMarkers', ['userId', 'entityId'])),
    userFeedMarkersOfUser: batcherOf(byKeyMany(find, 'userFeedMarkers', 'userId')),
    userMarkers: key('userMarkers', 'userId'),
  };
}

export type Batchers = ReturnType<typeof createBatchers>;

type LoaderOf<B> = B extends Batcher<infer Key, infer Value> ? DataLoader<Key, Value | null, string> : never;
export type Loaders = { readonly [Name in keyof Batchers]: LoaderOf<Batchers[Name]> };

/**
 * What many records of a page point at waits until the records themselves have arrived: then one command fetches the
 * authors of posts and comments together, and one more all their pictures.
 */
const WAITS: { [Name in keyof Batchers]?: 1 | 2 } = { users: 1, myReactions: 1, categories: 1, files: 2 };

/**
 * The request's side: within one request every record is read once and looks the same everywhere.
 * Made for each operation (for each event, on a subscription), since a DataLoader never forgets.
 *
 * @param budget of the request; null for loaders that several executions share
 */
export function createLoaders(batchers: Batchers, networkId: string, budget: ReadBudget | null): Loaders {
  const schedule = createSchedule();
  const made = new Map<string, unknown>();
  return new Proxy({} as Loaders, {
    get(_, name: string) {
      const known = made.get(name);
      if (known || !Object.hasOwn(batchers, name)) return known;
      const batcher = batchers[name as keyof Batchers] as Batcher<unknown, unknown>;
      const loader = createLoader({ batcher, networkId, schedule, budget, rank: WAITS[name as keyof Batchers] ?? 0 });
      made.set(name, loader);
      return loader;
    },
  });
}

interface Loading<Key, Value> {
  batcher: Batcher<Key, Value>;
  networkId: string;
  schedule: Schedule;
  budget: ReadBudget | null;
  rank: Rank;
}

function createLoader<Key, Value>({ batcher, networkId, schedule, budget, rank }: Loading<Key, Value>) {
  const loadMany = (keys: readonly Key[]) => batcher.loadMany(networkId, keys);
  return new DataLoader<Key, Value | null, string>(
    (keys) => {
      const done = schedule.begin(rank);
      return (budget ? budget.load(keys, loadMany, bytesOf) : loadMany(keys)).finally(done);
    },
    {
      cacheKeyFn: (key) => batcher.keyOf(key),
      ...(rank > 0 && { batchScheduleFn: (send: () => void) => schedule.whenQuiet(rank, send) }),
    },
  );
}

/** Of a record, a list of records or a value that is not stored as such. */
function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((bytes, record) => bytes + bytesOf(record), 0);
  return typeof value === 'object' && value !== null ? storedBytes(value) : 0;
}

type Rank = 0 | 1 | 2;

interface Schedule {
  begin(rank: Rank): () => void;
  whenQuiet(rank: Rank, send: () => void): void;
}

/** Lets loads of a higher rank wait until none of a lower rank is under way or waiting. */
function createSchedule(): Schedule {
  const underWay = [0, 0, 0];
  const waiting: Array<Array<() => void>> = [[], [], []];
  let armed = false;

  function arm(): void {
    if (armed) return;
    armed = true;
    setImmediate(release);
  }

  function release(): void {
    armed = false;
    for (let rank = 0; rank < waiting.length; rank += 1) {
      const sends = waiting[rank]!;
      waiting[rank] = [];
      for (const send of sends) send();
      // What was remembered begins no load whose end would come back here: look again in any case.
      if (sends.length > 0) arm();
      if (sends.length > 0 || underWay[rank]! > 0) return;
    }
  }

  return {
    begin(rank) {
      underWay[rank]! += 1;
      return () => {
        underWay[rank]! -= 1;
        arm();
      };
    },
    whenQuiet(rank, send) {
      waiting[rank]!.push(send);
      arm();
    },
  };
}

/** How long a category may be read from memory. Categories are few, change by hand and grant nothing. */
const REMEMBERED_MS = 10_000;
/** Heap that they hold at most. */
const MAX_REMEMBERED_BYTES = 2 * 1_048_576;

interface Remembered<Value> extends BatchSource<string, Value> {
  /** For the process that has just changed a record. */
  forget(networkId: string, key: string): void;
}

/** Keeps what was found for a short while, so that reference data costs no command on every page. */
function remembered<Value extends object>(source: BatchSource<string, Value>): Remembered<Value> {
  const cache = new LRUCache<string, Value>({
    maxSize: MAX_REMEMBERED_BYTES,
    sizeCalculation: (value, key) => key.length + estimateBytes(value),
    ttl: REMEMBERED_MS,
  });
  return {
    keyOf: source.keyOf,
    forget: (networkId, key) => void cache.delete(compositeKey(networkId, key)),
    async fetch(networkId, keys) {
      const name = (key: string) => compositeKey(networkId, key);
      const known = new Map(
        keys.flatMap((key) => (cache.has(name(key)) ? [[key, cache.get(name(key))!] as const] : [])),
      );
      const missing = keys.filter((key) => !known.has(key));
      if (missing.length === 0) return known;
      const found = await source.fetch(networkId, missing);
      for (const [key, value] of found) cache.set(name(key), value);
      return new Map([...known, ...found]);
    },
  };
}

/** The user or community that owns a feed. */
function byFeed<Name extends 'users' | 'communities'>(find: Find, name: Name): BatchSource<string, Records[Name]> {
  return {
    keyOf: (key) => key,
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
