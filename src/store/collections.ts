import type { Collection, Db, Document, IndexSpecification } from 'mongodb';
import type * as Audit from './records/audit.ts';
import type * as Chat from './records/chat.ts';
import type * as Community from './records/community.ts';
import type * as Content from './records/content.ts';
import type * as Erasure from './records/erasure.ts';
import type * as Event from './records/event.ts';
import type * as Idempotency from './records/idempotency.ts';
import type * as Limits from './records/limits.ts';
import type * as Media from './records/media.ts';
import type * as Mqtt from './records/mqtt.ts';
import type * as Search from './records/search.ts';
import type * as User from './records/user.ts';
import type * as UserExport from './records/user-export.ts';
import type * as Webhook from './records/webhook.ts';

/** The record type of each collection. */
export interface Records {
  networks: User.NetworkRecord;
  users: User.UserRecord;
  userBlocks: User.UserBlockRecord;
  follows: User.FollowRecord;
  contentRules: User.ContentRulesRecord;
  sessions: User.SessionRecord;
  pushDevices: User.PushDeviceRecord;
  roles: User.RoleRecord;
  files: Media.FileRecord;
  communities: Community.CommunityRecord;
  communityUsers: Community.CommunityUserRecord;
  categories: Community.CategoryRecord;
  joinRequests: Community.JoinRequestRecord;
  pins: Community.PinRecord;
  pinTargets: Community.PinTargetRecord;
  posts: Content.PostRecord;
  comments: Content.CommentRecord;
  commentCounters: Content.CommentCounterRecord;
  reactions: Content.ReactionRecord;
  flags: Content.FlagRecord;
  views: Content.ViewRecord;
  stories: Content.StoryRecord;
  storyTargets: Content.StoryTargetRecord;
  storySeens: Content.StorySeenRecord;
  polls: Media.PollRecord;
  pollVotes: Media.PollVoteRecord;
  videoStreams: Media.VideoStreamRecord;
  rooms: Media.RoomRecord;
  channels: Chat.ChannelRecord;
  channelUsers: Chat.ChannelUserRecord;
  distinctConversations: Chat.DistinctConversationRecord;
  messageFeeds: Chat.MessageFeedRecord;
  messages: Chat.MessageRecord;
  userFeedMarkers: Chat.UserFeedMarkerRecord;
  userMarkers: Chat.UserMarkerRecord;
  mqttSessions: Mqtt.MqttSessionRecord;
  searchEntries: Search.SearchEntryRecord;
  keyedWrites: Idempotency.IdempotencyRecord;
  events: Event.EventRecord;
  webhookEndpoints: Webhook.WebhookEndpointRecord;
  webhookDeliveries: Webhook.WebhookDeliveryRecord;
  webhookBodies: Webhook.WebhookBodyRecord;
  webhookPositions: Webhook.WebhookPositionRecord;
  auditEntries: Audit.AuditEntryRecord;
  userErasures: Erasure.UserErasureRecord;
  rateCounters: Limits.RateCounterRecord;
  userExports: UserExport.UserExportRecord;
}

export type CollectionName = keyof Records;
export type Collections = { [Name in CollectionName]: Collection<Records[Name]> };

interface IndexDefinition {
  key: IndexSpecification & Document;
  unique?: true;
  expireAfterSeconds?: number;
  partialFilterExpression?: Document;
}

const unique = (...fields: string[]): IndexDefinition => ({ key: keyOf(fields), unique: true });
const list = (...fields: string[]): IndexDefinition => ({ key: keyOf(fields) });
/** A partial index of the few records that match `condition`. */
const partialIndex = (condition: Document, ...fields: string[]): IndexDefinition => ({
  key: keyOf(fields),
  partialFilterExpression: condition,
});

/** Indexes with this condition end with `flagCount`, which distinguishes their keys from those of complete indexes. */
const isFlagged = { flagCount: { $gt: 0 } };
/** Is flagged and not deleted: an item of the moderation queue. */
const isQueued = { flagCount: { $gt: 0 }, isDeleted: false };
/** Waits for review: an item of the moderation queue. */
const awaitsReview = { feedType: 'reviewing', isDeleted: false };
/** Has a tag. A query by tags implies it. */
const isTagged = { tags: { $gt: '' } };
/** Is banned until a time. */
const hasEnd = { 'ban.expiresAt': { $gt: new Date(0) } };

/**
 * A partial index of the items of the moderation queue, newest first; descending, which distinguishes its key from those of
 * other lists.
 */
const queueIndex = (condition: Document, fields: readonly string[], last: readonly string[] = []): IndexDefinition => ({
  key: { ...keyOf([...fields]), createdAt: -1, _id: -1, ...Object.fromEntries(last.map((field) => [field, 1])) },
  partialFilterExpression: condition,
});

/** A partial index of the mutes of members, by their end. */
const muteIndex = (...fields: string[]): IndexDefinition =>
  partialIndex({ mutedUntil: { $gt: new Date(0) } }, ...fields, 'mutedUntil', '_id');

/** Puts the network first: every query concerns one network, and the shard key can consist of the same fields. */
function keyOf(fields: string[]): Record<string, 1 | -1> {
  return Object.fromEntries([['networkId', 1], ...fields.map((field) => [field, 1])]);
}

/**
 * Indexes that serve the sort orders of lists end with `_id`, which breaks ties. An index is unique only if it starts
 * with the fields of the collection's shard key (`shard-keys.ts`); other ids are unique because the gateway creates
 * them.
 */
export const INDEXES: { [Name in CollectionName]: IndexDefinition[] } = {
  networks: [
    unique(),
    { key: { apiKeyHash: 1 }, unique: true },
    { key: { serverKeyHash: 1 }, unique: true },
    // Partial, because networks of older releases have none until their next start.
    { key: { 'keys.hash': 1 }, unique: true, partialFilterExpression: { 'keys.hash': { $gt: '' } } },
  ],
  users: [
    unique('userId'),
    list('feeds.feedId'),
    list('displayName', '_id'),
    list('createdAt', '_id'),
    list('roles', '_id'),
    queueIndex(isQueued, []),
    partialIndex(isFlagged, 'displayName', '_id', 'flagCount'),
    partialIndex(isFlagged, 'createdAt', '_id', 'flagCount'),
    partialIndex({ isGlobalBan: true }, 'updatedAt', '_id'),
    partialIndex(hasEnd, 'ban.expiresAt'),
    partialIndex({ recheckMembershipsAt: { $gt: new Date(0) } }, 'recheckMembershipsAt'),
  ],
  userBlocks: [unique('userId', 'blockedUserId'), list('userId', 'createdAt', '_id')],
  follows: [
    unique('userId', 'followedUserId'),
    list('userId', 'status', 'createdAt', '_id'),
    list('followedUserId', 'status', 'createdAt', '_id'),
  ],
  contentRules: [unique()],
  sessions: [
    unique('sessionId'),
    list('deviceId', 'revokedAt'),
    list('userId', 'revokedAt'),
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  pushDevices: [unique('deviceId'), list('userId')],
  roles: [unique('roleId'), list('createdAt', '_id')],
  files: [unique('fileId'), list('userId', 'createdAt', '_id')],
  communities: [
    unique('communityId'),
    list('feeds.feedId'),
    list('createdAt', '_id'),
    list('displayName', '_id'),
    list('categoryIds', 'createdAt', '_id'),
    list('membersCount', '_id'),
    partialIndex(isTagged, 'tags', 'createdAt', '_id'),
    partialIndex(isTagged, 'tags', 'displayName', '_id'),
    partialIndex(isTagged, 'tags', 'membersCount', '_id'),
    partialIndex({ hasFlaggedPost: true }, 'hasFlaggedPost', 'communityId'),
    partialIndex({ hasFlaggedComment: true }, 'hasFlaggedComment', 'communityId'),
  ],
  communityUsers: [
    unique('communityId', 'userId'),
    list('userId', 'communityMembership', 'createdAt', '_id'),
    list('communityId', 'communityMembership', 'createdAt', '_id'),
    list('communityId', 'communityMembership', 'displayName', '_id'),
    list('communityId', 'roles', 'createdAt', '_id'),
    list('communityId', 'createdAt', '_id'),
    list('communityId', 'displayName', '_id'),
    partialIndex({ isBanned: true }, 'updatedAt', '_id'),
    partialIndex({ isBanned: true }, 'communityId', 'updatedAt', '_id'),
    partialIndex({ isBanned: true }, 'userId', 'updatedAt', '_id'),
    partialIndex(hasEnd, 'ban.expiresAt'),
  ],
  categories: [unique('categoryId'), list('createdAt', '_id'), list('name', '_id')],
  joinRequests: [
    unique('joinRequestId'),
    list('targetType', 'targetId', 'status', 'createdAt', '_id'),
    list('requestorId', 'targetId', 'status', 'createdAt', '_id'),
    list('requestorId', 'createdAt', '_id'),
  ],
  pins: [
    unique('targetType', 'targetId', 'placement', 'referenceId'),
    list('targetType', 'targetId', 'pinnedAt', '_id'),
    list('referenceId'),
  ],
  pinTargets: [unique('targetType', 'targetId')],
  posts: [
    unique('postId'),
    list('targetType', 'targetId', 'feedType', 'createdAt', '_id'),
    list('targetType', 'targetId', 'feedType', 'updatedAt', '_id'),
    list('targetType', 'targetId', 'feedType', 'dataType', 'createdAt', '_id'),
    list('targetType', 'targetId', 'feedType', 'dataType', 'updatedAt', '_id'),
    list('parentPostId', 'createdAt', '_id'),
    list('parentPostId', 'updatedAt', '_id'),
    list('postedUserId', 'createdAt', '_id'),
    list('postedUserId', 'updatedAt', '_id'),
    // Before the other indexes of flagged posts, because the embedded store takes the first of two equal ones.
    queueIndex(isQueued, []),
    queueIndex(isQueued, ['targetType', 'targetId']),
    queueIndex(isQueued, ['postedUserId']),
    queueIndex(awaitsReview, [], ['feedType']),
    queueIndex(awaitsReview, ['targetType', 'targetId'], ['feedType']),
    queueIndex(awaitsReview, ['postedUserId'], ['feedType']),
    partialIndex(isFlagged, 'targetType', 'targetId', 'flagCount'),
    partialIndex(isFlagged, 'targetType', 'targetId', 'feedType', 'createdAt', '_id', 'flagCount'),
    partialIndex(isFlagged, 'targetType', 'targetId', 'feedType', 'updatedAt', '_id', 'flagCount'),
    partialIndex(isFlagged, 'createdAt', '_id', 'flagCount'),
    partialIndex(isFlagged, 'updatedAt', '_id', 'flagCount'),
    partialIndex(isTagged, 'targetType', 'targetId', 'feedType', 'tags', 'createdAt', '_id'),
    partialIndex(isTagged, 'targetType', 'targetId', 'feedType', 'tags', 'updatedAt', '_id'),
    partialIndex(isTagged, 'postedUserId', 'tags', 'createdAt', '_id'),
    partialIndex(isTagged, 'postedUserId', 'tags', 'updatedAt', '_id'),
    partialIndex({ 'data.pollId': { $exists: true } }, 'data.pollId'),
  ],
  comments: [
    unique('commentId'),
    list('referenceType', 'referenceId', 'segmentNumber', '_id'),
    list('referenceType', 'referenceId', 'parentId', 'segmentNumber', '_id'),
    list('referenceType', 'referenceId', 'parentId', 'createdAt', '_id'),
    list('referenceType', 'referenceId', 'parentId', 'updatedAt', '_id'),
    list('referenceType', 'referenceId', 'createdAt', '_id'),
    list('referenceType', 'referenceId', 'updatedAt', '_id'),
    list('userId', 'createdAt', '_id'),
    list('createdAt', '_id'),
    list('updatedAt', '_id'),
    queueIndex(isQueued, []),
    queueIndex(isQueued, ['targetType', 'targetId']),
    queueIndex(isQueued, ['userId']),
    partialIndex(isFlagged, 'referenceType', 'referenceId', 'flagCount'),
    partialIndex(isFlagged, 'referenceType', 'referenceId', 'segmentNumber', '_id', 'flagCount'),
    partialIndex(isFlagged, 'referenceType', 'referenceId', 'updatedAt', '_id', 'flagCount'),
    partialIndex(isFlagged, 'createdAt', '_id', 'flagCount'),
    partialIndex(isFlagged, 'updatedAt', '_id', 'flagCount'),
    partialIndex(isFlagged, 'targetType', 'targetId', 'flagCount'),
  ],
  commentCounters: [unique('referenceType', 'referenceId')],
  reactions: [
    unique('referenceId', 'userId', 'referenceType', 'reactionName'),
    list('referenceType', 'referenceId', 'createdAt', '_id'),
    list('reactionId'),
    list('userId', '_id'),
  ],
  flags: [
    unique('referenceType', 'referenceId', 'userId'),
    list('referenceType', 'referenceId', 'createdAt', '_id'),
    list('userId'),
    partialIndex({ authorId: { $gt: '' } }, 'authorId'),
  ],
  views: [
    unique('referenceType', 'referenceId', 'userId'),
    list('referenceType', 'referenceId', 'createdAt', '_id'),
    list('userId', '_id'),
  ],
  stories: [
    unique('storyId'),
    list('targetType', 'targetId', 'createdAt', '_id'),
    list('targetType', 'targetId', 'expiresAt'),
    list('userId', 'createdAt', '_id'),
    queueIndex(isQueued, []),
    queueIndex(isQueued, ['targetType', 'targetId']),
    queueIndex(isQueued, ['userId']),
  ],
  storyTargets: [
    unique('targetType', 'targetId'),
    list('targetType', 'targetUpdatedAt', '_id'),
    list('lastStoryExpiresAt', '_id'),
  ],
  storySeens: [unique('userId', 'targetType', 'targetId')],
  polls: [unique('pollId'), list('userId', 'createdAt', '_id')],
  pollVotes: [unique('pollId', 'userId'), list('userId', 'pollId')],
  videoStreams: [unique('streamId'), list('createdAt', '_id'), list('userId', 'createdAt', '_id')],
  rooms: [unique('roomId'), list('createdAt', '_id'), list('targetType', 'targetId', 'createdAt', '_id')],
  channels: [
    unique('channelId'),
    list('isPublic', 'createdAt', '_id'),
    list('isPublic', 'lastActivity', '_id'),
    list('isPublic', 'displayName', '_id'),
    partialIndex(isTagged, 'isPublic', 'tags', 'createdAt', '_id'),
    partialIndex(isTagged, 'isPublic', 'tags', 'lastActivity', '_id'),
    partialIndex(isTagged, 'isPublic', 'tags', 'displayName', '_id'),
    list('communityId'),
    partialIndex({ muteTimeout: { $gt: new Date(0) } }, 'muteTimeout'),
  ],
  channelUsers: [
    unique('channelId', 'userId'),
    list('userId', 'membership', 'lastActivity', '_id'),
    list('channelId', 'membership', 'createdAt', '_id'),
    list('channelId', 'membership', 'displayName', '_id'),
    list('channelId', 'membership', 'roles', 'createdAt', '_id'),
    partialIndex({ isBanned: true }, 'updatedAt', '_id'),
    partialIndex({ isBanned: true }, 'channelId', 'updatedAt', '_id'),
    partialIndex({ isBanned: true }, 'userId', 'updatedAt', '_id'),
    muteIndex(),
    muteIndex('channelId'),
    muteIndex('userId'),
    partialIndex(hasEnd, 'ban.expiresAt'),
  ],
  distinctConversations: [unique('membersHash')],
  messageFeeds: [unique('messageFeedId'), list('channelId', 'createdAt', '_id')],
  messages: [
    list('messageId'),
    unique('messageFeedId', 'segment'),
    list('messageFeedId', 'segment', '_id'),
    list('messageFeedId', 'parentId', 'segment', '_id'),
    list('messageFeedId', 'createdAt'),
    list('userId', 'createdAt', '_id'),
    partialIndex(isTagged, 'messageFeedId', 'tags', 'segment', '_id'),
    partialIndex({ isDeleted: true }, 'messageFeedId', 'isDeleted', 'segment'),
    queueIndex(isQueued, []),
    queueIndex(isQueued, ['channelId']),
    queueIndex(isQueued, ['userId']),
    partialIndex(isFlagged, 'channelId', 'flagCount'),
    partialIndex({ 'latestReaction.userId': { $gt: '' } }, 'latestReaction.userId'),
  ],
  userFeedMarkers: [unique('userId', 'feedId'), list('userId', 'entityId'), list('feedId', 'userId', '_id')],
  userMarkers: [unique('userId')],
  mqttSessions: [unique('userId', 'clientId'), { key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  // Each serves the list of one token. Messages and channels are only in the second, communities and users only in the first.
  searchEntries: [
    unique('recordId', 'kind'),
    partialIndex({ tokens: { $exists: true } }, 'kind', 'tokens', 'createdAt', '_id'),
    partialIndex({ scopeId: { $exists: true } }, 'scopeId', 'scopeTokens', 'createdAt', '_id'),
  ],
  keyedWrites: [unique('userId', 'key'), { key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  events: [list('_id'), list('type', 'eventId'), { key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  // The index of `dueAt` has no network: webhook workers query due endpoints of all networks together.
  webhookEndpoints: [unique('endpointId'), list('createdAt', '_id'), { key: { dueAt: 1 } }],
  webhookDeliveries: [
    unique('endpointId', 'eventId'),
    partialIndex({ state: 'pending' }, 'endpointId', 'dueAt'),
    list('endpointId', 'createdAt', '_id'),
    list('endpointId', 'state', 'createdAt', '_id'),
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  webhookBodies: [unique('bodyId'), { key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  webhookPositions: [unique()],
  auditEntries: [
    unique('auditId'),
    list('createdAt', '_id'),
    list('actorId', 'createdAt', '_id'),
    list('action', 'createdAt', '_id'),
    list('subjectType', 'subjectId', 'createdAt', '_id'),
    list('affectedUserId', 'createdAt', '_id'),
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  userErasures: [unique('userId'), partialIndex({ state: 'running' }, 'state')],
  // Without the network, because rate-limiter-flexible queries by the key alone.
  rateCounters: [
    { key: { key: 1 }, unique: true },
    { key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
  userExports: [unique('tokenHash'), { key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
};

/** Returns a typed handle for every collection of `db`. */
export function bindCollections(db: Db): Collections {
  const bound = Object.keys(INDEXES).map((name) => [name, db.collection(name)]);
  return Object.fromEntries(bound) as Collections;
}

/** Creates the missing {@link INDEXES}; safe to repeat and to run in several processes concurrently. */
export async function createIndexes(db: Db): Promise<void> {
  await Promise.all(Object.entries(INDEXES).map(([name, indexes]) => db.collection(name).createIndexes(indexes)));
}
