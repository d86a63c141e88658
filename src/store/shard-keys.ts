import { type CollectionName, INDEXES, type Records } from './collections.ts';

/** Fields by which a collection is split over shards, in this order; `hashed`: by the hash of the value. */
export type ShardKey<Name extends CollectionName = CollectionName> = { networkId: 1 } & {
  [Field in Exclude<keyof Records[Name] & string, '_id' | 'networkId'>]?: 1 | 'hashed';
};

/**
 * How each collection is split on a sharded cluster; null: it stays whole on the database's primary shard.
 *
 * - All begin with the network: what a query of one network reaches never grows with the number of networks.
 * - More follows, so that one huge network, feed or community is many chunks.
 * - Every unique index of {@link INDEXES} begins with the same fields, as MongoDB demands to keep it unique over shards.
 * - Ids that the gateway makes rise with time; hashed, the newest records lie on all shards and not on the last one.
 *
 * A test derives from these which queries reach one shard and which several, and holds docs/reference/sharding.md to it.
 */
export const SHARD_KEYS: { readonly [Name in CollectionName]: ShardKey<Name> | null } = {
  // One record a network, found by the hash of either of its keys: all three are unique, and nothing begins them all.
  networks: null,

  // Read and written by their own id. Users are named from outside, sessions at random, the others are few.
  users: { networkId: 1, userId: 1 },
  sessions: { networkId: 1, sessionId: 1 },
  roles: { networkId: 1, roleId: 1 },
  categories: { networkId: 1, categoryId: 1 },

  // Read and written by their own id, which rises with time.
  files: { networkId: 1, fileId: 'hashed' },
  communities: { networkId: 1, communityId: 'hashed' },
  joinRequests: { networkId: 1, joinRequestId: 'hashed' },
  posts: { networkId: 1, postId: 'hashed' },
  comments: { networkId: 1, commentId: 'hashed' },
  stories: { networkId: 1, storyId: 'hashed' },
  polls: { networkId: 1, pollId: 'hashed' },
  videoStreams: { networkId: 1, streamId: 'hashed' },
  rooms: { networkId: 1, roomId: 'hashed' },
  channels: { networkId: 1, channelId: 'hashed' },
  messageFeeds: { networkId: 1, messageFeedId: 'hashed' },

  // Together with what they hang on: a conversation is read and counted by feed far more often than by message.
  messages: { networkId: 1, messageFeedId: 1, segment: 1 },
  reactions: { networkId: 1, referenceId: 'hashed', userId: 1 },
  flags: { networkId: 1, referenceType: 1, referenceId: 1, userId: 1 },
  commentCounters: { networkId: 1, referenceType: 1, referenceId: 1 },
  views: { networkId: 1, referenceType: 1, referenceId: 1, userId: 1 },
  pollVotes: { networkId: 1, pollId: 1, userId: 1 },
  pins: { networkId: 1, targetType: 1, targetId: 1 },
  pinTargets: { networkId: 1, targetType: 1, targetId: 1 },
  storyTargets: { networkId: 1, targetType: 1, targetId: 1 },
  communityUsers: { networkId: 1, communityId: 1, userId: 1 },
  channelUsers: { networkId: 1, channelId: 1, userId: 1 },

  // Together with the user whose state they are.
  userBlocks: { networkId: 1, userId: 1, blockedUserId: 1 },
  storySeens: { networkId: 1, userId: 1, targetType: 1, targetId: 1 },
  userFeedMarkers: { networkId: 1, userId: 1, feedId: 1 },
  userMarkers: { networkId: 1, userId: 1 },
  keyedWrites: { networkId: 1, userId: 1, key: 1 },

  // Written beside any other record, by ids that rise with time, and read in the order in which they were committed.
  events: { networkId: 1, eventId: 'hashed' },

  // A few a network, asked for over all networks by whoever delivers; their deliveries lie together, by endpoint.
  webhookEndpoints: null,
  webhookDeliveries: { networkId: 1, endpointId: 1, eventId: 1 },
  // A single record.
  webhookPositions: null,
};

/** The collections that are split, with the fields that split them. */
export function shardedCollections(): Array<[name: CollectionName, key: ShardKey]> {
  return (Object.keys(INDEXES) as CollectionName[]).flatMap((name) => {
    const key = SHARD_KEYS[name];
    return key ? [[name, key as ShardKey] as [CollectionName, ShardKey]] : [];
  });
}

/**
 * Lines for `mongosh` that shard a database whose collections the gateway has made, empty or not. A hashed key needs an
 * index of its own; any other is the beginning of an index that is there.
 */
export function shardingScript(databaseName: string): string[] {
  return shardedCollections().flatMap(([name, key]) => [
    ...(Object.values(key).includes('hashed') ? [`db.${name}.createIndex(${shown(key)});`] : []),
    `sh.shardCollection('${databaseName}.${name}', ${shown(key)});`,
  ]);
}

/** `{ networkId: 1, postId: 'hashed' }` */
export function shown(key: ShardKey): string {
  const fields = Object.entries(key).map(([field, how]) => `${field}: ${how === 1 ? 1 : `'${how}'`}`);
  return `{ ${fields.join(', ')} }`;
}
