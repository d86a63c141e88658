import type { Filter } from 'mongodb';
import type { CollectionName, Records } from '../store/collections.ts';
import type { BanTerms } from '../store/records/ban.ts';
import type { MuteTerms } from '../store/records/chat.ts';

/** The records of one collection that an export contains. */
export interface ExportedRecords<Stored> {
  /**
   * Filters that match these records, each once unless it changes meanwhile.
   * @param userId public id of the person
   */
  filters(userId: string): Filter<Stored>[];
  /**
   * The immutable field in whose order they are read. `_id` sorts all matching records for each page, unless an index
   * contains it: only for collections with thousands of records per person.
   */
  order: 'createdAt' | '_id';
  /** Finds them among the records of the places in which the person is or was a member, since no index contains the user. */
  through?: { memberships: 'communityUsers' | 'channelUsers'; place: 'communityId' | 'channelId' };
  /** What the export contains of a record. */
  select(record: Stored, userId: string): object;
}

/** The collections of the network, with what an export contains of each, or why it contains nothing of it. */
type ExportedCollections = {
  readonly [Name in CollectionName]: ExportedRecords<Records[Name]> | { readonly reason: string };
};

/** All fields except those that are secret, or concern other people more than this one. */
function without<Stored extends object>(...names: Array<keyof Stored & string>): (record: Stored) => object {
  const omitted: ReadonlySet<string> = new Set(names);
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => !omitted.has(name)));
}

/** As {@link without}; bans and mutes are without their reason and the moderator, which the person does not see. */
function withPlainTerms<Stored extends { ban?: BanTerms; mute?: MuteTerms }>(
  ...names: Array<keyof Stored & string>
): (record: Stored) => object {
  const select = without<Stored>(...names);
  return (record) => {
    const { ban, mute } = record;
    return {
      ...select(record),
      ...(ban && { ban: { bannedAt: ban.bannedAt, expiresAt: ban.expiresAt } }),
      ...(mute && { mute: { mutedAt: mute.mutedAt } }),
    };
  };
}

const MODERATION = 'Made by administrators for the network, not about a person.';
const COUNTER = 'A counter of records of several people.';

/**
 * What an export contains: the records about the person, and those that they wrote. Not what only moderators see (who
 * flagged the person, why they were banned or muted), nor what others wrote. `docs/guides/export-a-person.md` explains it.
 */
export const EXPORTED: ExportedCollections = {
  users: {
    filters: (userId) => [{ userId }],
    order: '_id',
    // `hashFlag` would reveal who flagged the person.
    select: withPlainTerms('hashFlag', 'touchedAt', 'recheckMembershipsAt'),
  },
  sessions: { filters: (userId) => [{ userId }], order: '_id', select: without('permissions', 'loginCode') },
  // The token is a secret of the push service.
  pushDevices: { filters: (userId) => [{ userId }], order: '_id', select: without('token') },
  mqttSessions: { filters: (userId) => [{ userId }], order: '_id', select: without('connectionId') },
  userBlocks: { filters: (userId) => [{ userId }], order: 'createdAt', select: without() },
  follows: {
    // A request can be accepted meanwhile, which then is read twice rather than never.
    filters: (userId) => [
      { userId, status: 'pending' },
      { userId, status: 'accepted' },
      { followedUserId: userId, status: 'pending' },
      { followedUserId: userId, status: 'accepted' },
    ],
    order: 'createdAt',
    select: without(),
  },
  communityUsers: { filters: (userId) => [{ userId }], order: '_id', select: withPlainTerms('permissions') },
  channelUsers: { filters: (userId) => [{ userId }], order: '_id', select: withPlainTerms('permissions') },
  joinRequests: {
    filters: (requestorId) => [{ requestorId }],
    order: 'createdAt',
    select: without('responderId', 'responderInternalId'),
  },
  // `flagsChangedAt` is the time of a flag on a comment or child.
  posts: {
    filters: (postedUserId) => [{ postedUserId }],
    order: 'createdAt',
    select: without('hashFlag', 'flagsChangedAt'),
  },
  comments: { filters: (userId) => [{ userId }], order: 'createdAt', select: without('hashFlag') },
  stories: { filters: (userId) => [{ userId }], order: 'createdAt', select: without('hashFlag', 'flagsChangedAt') },
  // The latest reaction is that of another user, with their name.
  messages: { filters: (userId) => [{ userId }], order: 'createdAt', select: without('hashFlag', 'latestReaction') },
  reactions: { filters: (userId) => [{ userId }], order: '_id', select: without() },
  views: { filters: (userId) => [{ userId }], order: '_id', select: without() },
  flags: { filters: (userId) => [{ userId }], order: '_id', select: without() },
  files: { filters: (userId) => [{ userId }], order: 'createdAt', select: without() },
  polls: { filters: (userId) => [{ userId }], order: 'createdAt', select: without() },
  pollVotes: { filters: (userId) => [{ userId }], order: '_id', select: without() },
  // The URL for streaming contains the key of the stream.
  videoStreams: { filters: (userId) => [{ userId }], order: 'createdAt', select: without('streamerUrl') },
  rooms: {
    filters: (createdBy) => [{ createdBy }],
    order: 'createdAt',
    select: without('participants', 'moderation', 'deletedBy'),
  },
  storySeens: { filters: (userId) => [{ userId }], order: '_id', select: without() },
  storyTargets: {
    filters: (targetId) => [{ targetType: 'user', targetId }],
    order: '_id',
    select: without(),
  },
  userFeedMarkers: { filters: (userId) => [{ userId }], order: '_id', select: without() },
  userMarkers: { filters: (userId) => [{ userId }], order: '_id', select: without() },
  communities: {
    filters: (userId) => [{ userId }],
    order: 'createdAt',
    through: { memberships: 'communityUsers', place: 'communityId' },
    select: ({ communityId, displayName, userId, createdAt, isDeleted }) => {
      return { communityId, displayName, userId, createdAt, isDeleted };
    },
  },
  messageFeeds: {
    filters: (userId) => [{ userId }],
    order: 'createdAt',
    through: { memberships: 'channelUsers', place: 'channelId' },
    select: ({ messageFeedId, channelId, name, userId, createdAt, isDeleted }) => {
      return { messageFeedId, channelId, name, userId, createdAt, isDeleted };
    },
  },
  pins: { filters: (pinnedBy) => [{ pinnedBy }], order: '_id', select: without() },
  auditEntries: {
    filters: (userId) => [{ actorId: userId }, { affectedUserId: userId, actorId: { $ne: userId } }],
    order: 'createdAt',
    // Neither the moderators nor the reasons, which can name people who complained.
    select: ({ auditId, action, subjectType, subjectId, communityId, channelId, createdAt, ...entry }, userId) => ({
      ...{ auditId, action, subjectType, subjectId, communityId, channelId, createdAt },
      ...(entry.actorId === userId && { actorId: userId, transport: entry.transport, address: entry.address }),
    }),
  },
  userErasures: {
    filters: (userId) => [{ userId }],
    order: '_id',
    select: without('names', 'requestedBy', 'lease', 'leaseEndsAt'),
  },

  userExports: { reason: 'The permission to download this export, for minutes.' },
  keyedWrites: { reason: 'Copies of the results of the person’s writes, for a day; the records are in the export.' },
  events: { reason: 'Ids of records that changed, for days; the records are in the export.' },
  webhookDeliveries: { reason: 'Copies of changed records for servers of the application, for days.' },
  webhookBodies: { reason: 'Copies of changed records for servers of the application, for days.' },
  searchEntries: { reason: 'The words of records that are in the export.' },
  distinctConversations: { reason: 'Hashes of sets of members; the memberships are in the export.' },
  commentCounters: { reason: COUNTER },
  pinTargets: { reason: COUNTER },
  channels: { reason: 'Shared by their members; the memberships and the person’s messages are in the export.' },
  networks: { reason: MODERATION },
  rateCounters: { reason: 'Numbers of requests by hashes of clients, for minutes.' },
  roles: { reason: MODERATION },
  categories: { reason: MODERATION },
  contentRules: { reason: MODERATION },
  webhookEndpoints: { reason: MODERATION },
  webhookPositions: { reason: 'The position of a process.' },
};
