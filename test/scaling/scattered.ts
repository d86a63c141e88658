import type { CollectionName } from '../../src/store/collections.ts';

type Reasons = { readonly [Name in CollectionName]?: { readonly [by: string]: string } };

const PAGE = 'page';
const LOOK_UP = 'look-up';
const FEW = 'few';
const RARE = 'rare';
const ERASED = `${RARE}; when a person is erased`;
const BANS = `${PAGE}; network moderators list the bans from all places`;
const QUEUE = `${PAGE}; moderators list what is flagged in the network`;
const AUDIT = 'sharded by time, every act would be written to one shard';
const BY_ID_INSTEAD = `${PAGE}; sharded by place, every read and write by id would scatter`;

/**
 * Every query that reaches all shards with a part of the network, by the fields of its filter, with the reason why that is acceptable.
 * docs/reference/sharding.md explains the terms. Tests fail for a scattered query that is missing here, and for an unused entry.
 */
export const SCATTERED: Reasons = {
  users: { network: PAGE, 'feeds.feedId': LOOK_UP },
  sessions: {
    revokedAt: `${RARE}; an administrator ends the sessions of all users`,
    'revokedAt, userId': `${RARE}; a ban, a deletion or new roles reach all devices of a user`,
    userId: ERASED,
    'deviceId, revokedAt': `${LOOK_UP}; at a sign-in, to end other users' sessions on the device`,
  },
  follows: {
    followedUserId: `${RARE}; follows end with the account`,
    'followedUserId, status': `${PAGE}; sharded by follower, the followers of a user scatter`,
  },
  pushDevices: {
    network: `${RARE}; all registrations end with all sessions`,
    userId: `${RARE}; registrations end with the account`,
  },
  roles: { network: FEW },
  webhookDeliveries: { network: ERASED },
  events: {
    _id: ERASED,
    network: `${RARE}; a time span is replayed to a webhook`,
    type: `${RARE}; a long poll for the newest event; all other subscribers read the change stream`,
  },
  files: { userId: PAGE },
  communities: {
    network: PAGE,
    categoryIds: PAGE,
    tags: PAGE,
    hasFlaggedPost: `${LOOK_UP}; of a list of flagged communities, at most 1,001 ids`,
    hasFlaggedComment: `${LOOK_UP}; of a list of flagged communities, at most 1,001 ids`,
    'hasFlaggedPost, hasFlaggedComment': PAGE,
    'feeds.feedId': LOOK_UP,
  },
  communityUsers: {
    _id: LOOK_UP,
    userId: `${RARE}; a new name reaches all memberships of a user; moderators list their bans`,
    network: BANS,
    'userId, communityMembership': `${PAGE}; sharded by user, the members of a community would scatter`,
    'userId, communityMembership, roles': `${LOOK_UP}; the communities that a user moderates`,
  },
  categories: { network: FEW },
  joinRequests: {
    requestorId: PAGE,
    'targetId, requestorId': PAGE,
    'status, requestorId': PAGE,
    'targetType, targetId, status': PAGE,
    'targetType, targetId, requestorId': LOOK_UP,
    'targetType, status, requestorId': `${RARE}; join requests end with the account`,
    'targetType, targetId, status, requestorId': `${LOOK_UP}; a join request ends when its user becomes a member`,
  },
  searchEntries: {
    'kind, tokens': `${PAGE}; sharded by word, every write of a record would reach many shards`,
    scopeId: `${PAGE}; words of a place with the same beginning`,
    'scopeId, scopeTokens': `${PAGE}; sharded by place, a busy community would be on one shard`,
  },
  pins: { _id: FEW, referenceId: FEW },
  posts: {
    network: QUEUE,
    postedUserId: `${QUEUE}; ${ERASED}`,
    'feedType, parentPostId, postedUserId': QUEUE,
    'targetType, targetId, postedUserId': QUEUE,
    'data.pollId': LOOK_UP,
    'feedType, dataType, parentPostId': PAGE,
    'feedType, parentPostId': PAGE,
    'feedType, parentPostId, flagCount': PAGE,
    'targetType, targetId': `${LOOK_UP}; when a flag is removed, whether another post there is flagged`,
    'targetType, targetId, feedType': BY_ID_INSTEAD,
    'targetType, targetId, feedType, dataType, parentPostId': BY_ID_INSTEAD,
    'targetType, targetId, feedType, parentPostId': BY_ID_INSTEAD,
    'targetType, targetId, feedType, parentPostId, flagCount': BY_ID_INSTEAD,
    'targetType, targetId, feedType, parentPostId, tags': BY_ID_INSTEAD,
    'targetType, targetId, feedType, parentPostId, postedUserId': BY_ID_INSTEAD,
    parentPostId: BY_ID_INSTEAD,
  },
  comments: {
    userId: `${QUEUE}; ${ERASED}`,
    'userId, targetType, targetId': QUEUE,
    network: PAGE,
    parentId: PAGE,
    'referenceType, referenceId': BY_ID_INSTEAD,
    'referenceType, referenceId, parentId': BY_ID_INSTEAD,
    'targetType, targetId': `${LOOK_UP}; when a flag is removed, whether another comment there is flagged`,
  },
  reactions: { reactionId: LOOK_UP },
  flags: { userId: ERASED, authorId: `${LOOK_UP}; the history of an author, for moderators` },
  keyedWrites: { network: ERASED },
  webhookBodies: { network: ERASED },
  auditEntries: { network: `${PAGE}; ${AUDIT}`, actorId: ERASED, affectedUserId: ERASED },
  userExports: { network: `${ERASED}; an export exists for minutes` },
  stories: {
    network: QUEUE,
    'targetType, targetId': BY_ID_INSTEAD,
    'targetType, targetId, userId': QUEUE,
    userId: ERASED,
  },
  storyTargets: { targetType: PAGE },
  polls: { userId: PAGE },
  videoStreams: { network: PAGE, userId: PAGE },
  rooms: { network: PAGE },
  channels: { _id: LOOK_UP, isPublic: PAGE, 'isPublic, tags': PAGE },
  channelUsers: {
    _id: LOOK_UP,
    userId: `${RARE}; a new name reaches all memberships of a user; moderators list their bans`,
    network: BANS,
    membership: `${PAGE}; network moderators list the mutes from all channels`,
    'userId, membership': `${PAGE}; sharded by user, the members of a channel would scatter`,
    'userId, membership, roles': `${LOOK_UP}; the channels that a user moderates`,
  },
  messageFeeds: {
    _id: `${LOOK_UP}; ids of default feeds from releases before version 9 of the data`,
    channelId: LOOK_UP,
  },
  userFeedMarkers: { feedId: `${PAGE}; sharded by feed, the markers of a user would scatter` },
  messages: {
    isDeleted: QUEUE,
    userId: ERASED,
    'userId, isDeleted': QUEUE,
    'userId, isDeleted, channelId': QUEUE,
    'messageId, userId': ERASED,
    'latestReaction.userId': ERASED,
    'isDeleted, channelId': `${RARE}; moderators list channels with flagged messages, of which there are few`,
    messageId: `${LOOK_UP}; writes of a message name its feed too`,
  },
};

/** The writes among {@link SCATTERED}. */
export const SCATTERED_WRITES = [
  'channelUsers by userId',
  'communityUsers by userId',
  'sessions by revokedAt, userId',
  'sessions by userId',
  'sessions by deviceId, revokedAt',
  'pushDevices by userId',
  'messageFeeds by channelId',
  'userExports by network',
];

/** Queries that sort their records in memory, and why these are few. */
export const SORTED: Reasons = {
  users: { userId: 'users with a name, at most 2,000' },
  sessions: { 'revokedAt, userId': 'sessions of one user that have not ended' },
  channels: {
    channelId: 'channels of one user, at most 2,000',
    'channelId, isPublic': 'channels with a name, at most 2,000',
    'channelId, tags': 'channels of one user, at most 2,000',
  },
  communities: { communityId: 'communities of one user or with a name, at most 2,000' },
  categories: { categoryId: 'categories of one community' },
  joinRequests: { 'targetId, requestorId': 'requests of one user, to at most 100 communities' },
  pins: { 'targetType, targetId, placement': 'at most 50' },
  searchEntries: { scopeId: 'entries of a place with the beginning of a word, at most 4,000' },
};
