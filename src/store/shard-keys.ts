import { type CollectionName, INDEXES, type Records } from './collections.ts';

/** The shard key of a collection, in field order; `hashed`: by the hash of the value. */
export type ShardKey<Name extends CollectionName = CollectionName> = { networkId: 1 } & {
  [Field in Exclude<FieldOf<Records[Name]>, '_id' | 'networkId'>]?: 1 | 'hashed';
};

/** Of a union the fields of each member. */
type FieldOf<Stored> = Stored extends unknown ? keyof Stored & string : never;

/**
 * The shard key of each collection; null: the collection stays on the database's primary shard.
 *
 * - Every key starts with the network: the shards that a query of one network reaches do not grow with the number of
 *   networks.
 * - Further fields follow, so that one huge network, feed or community can be divided into many chunks.
 * - Every unique index of {@link INDEXES} starts with the same fields: MongoDB requires it to enforce uniqueness.
 * - Ids that the gateway generates increase with time; hashing them spreads the newest records over all shards.
 *
 * A test derives from the keys which queries reach one shard and which several, and compares with
 * docs/reference/sharding.md.
 */
export const SHARD_KEYS: { readonly [Name in CollectionName]: ShardKey<Name> | null } = {
  // One record per network, found by id or by the hash of either API key: these unique indexes have no common first
  // field.
  networks: null,

  // Read and written by their own key. Clients choose user ids, session ids and hashes are random, and the others are few.
  users: { networkId: 1, userId: 1 },
  sessions: { networkId: 1, sessionId: 1 },
  pushDevices: { networkId: 1, deviceId: 1 },
  roles: { networkId: 1, roleId: 1 },
  categories: { networkId: 1, categoryId: 1 },
  distinctConversations: { networkId: 1, membersHash: 1 },
  userExports: { networkId: 1, tokenHash: 1 },

  // Read and written by their own id, which increases with time.
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
  searchEntries: { networkId: 1, recordId: 'hashed' },

  // Stored with the record they belong to: messages are read and counted by feed far more often than by id.
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

  // Stored by the user whose state they are.
  userBlocks: { networkId: 1, userId: 1, blockedUserId: 1 },
  follows: { networkId: 1, userId: 1, followedUserId: 1 },
  storySeens: { networkId: 1, userId: 1, targetType: 1, targetId: 1 },
  userFeedMarkers: { networkId: 1, userId: 1, feedId: 1 },
  userMarkers: { networkId: 1, userId: 1 },
  mqttSessions: { networkId: 1, userId: 1, clientId: 1 },
  keyedWrites: { networkId: 1, userId: 1, key: 1 },
  userErasures: { networkId: 1, userId: 1 },

  // Written in the same transaction as any other record, with ids that increase with time, and read in commit order. The
  // events of a transaction are on one shard: a change stream does not keep their order across shards.
  events: { networkId: 1, commitId: 'hashed' },
  auditEntries: { networkId: 1, auditId: 'hashed' },

  // A few per network, queried across networks by webhook workers; deliveries are stored by endpoint.
  webhookEndpoints: null,
  webhookDeliveries: { networkId: 1, endpointId: 1, eventId: 1 },
  // Rendered once for the deliveries of an event, which may be in several chunks.
  webhookBodies: { networkId: 1, bodyId: 'hashed' },
  // One record per network.
  contentRules: null,
  // A single record.
  webhookPositions: null,
  // Short-lived counts, which rate-limiter-flexible queries by a key without the network.
  rateCounters: null,
};

/** The sharded collections with their keys. */
export function shardedCollections(): Array<[name: CollectionName, key: ShardKey]> {
  return (Object.keys(INDEXES) as CollectionName[]).flatMap((name) => {
    const key = SHARD_KEYS[name];
    return key ? [[name, key as ShardKey] as [CollectionName, ShardKey]] : [];
  });
}

/**
 * Returns lines for `mongosh` that shard a database whose collections the gateway has created, empty or not. A hashed
 * key needs an index of its own; any other key is a prefix of an existing index.
 */
export function shardingScript(databaseName: string): string[] {
  return shardedCollections().flatMap(([name, key]) => [
    ...(Object.values(key).includes('hashed') ? [`db.${name}.createIndex(${formatShardKey(key)});`] : []),
    `sh.shardCollection('${databaseName}.${name}', ${formatShardKey(key)});`,
  ]);
}

/** `{ networkId: 1, postId: 'hashed' }` */
export function formatShardKey(key: ShardKey): string {
  const fields = Object.entries(key).map(([field, how]) => `${field}: ${how === 1 ? 1 : `'${how}'`}`);
  return `{ ${fields.join(', ')} }`;
}
