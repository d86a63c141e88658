import type { CollectionName } from '../../src/store/collections.ts';

type Reasons = { readonly [Name in CollectionName]?: { readonly [by: string]: string } };

const PAGE = 'page';
const LOOK_UP = 'look-up';
const FEW = 'few';
const RARE = 'rare';
const BY_ID_INSTEAD = `${PAGE}; kept together by place, every read and write of a single one would scatter`;

/**
 * Every query that goes to all shards with a piece of the network, by the fields it names, and why that will do;
 * docs/reference/sharding.md explains the words. A scattered query that is not here is red, and so is an entry that none needs.
 */
export const SCATTERED: Reasons = {
  users: { network: PAGE, 'feeds.feedId': LOOK_UP },
  sessions: {
    userId: `${RARE}; a ban, a deletion or new roles reach all devices of a user`,
    deviceId: `${LOOK_UP}; at a sign-in, to end what others left open on the device`,
  },
  roles: { network: FEW },
  events: {
    network: `${RARE}; a stretch of time is replayed to a webhook`,
    type: `${RARE}; whoever asks for the newest event by long poll; all others are told by the change stream`,
  },
  files: { userId: PAGE },
  communities: { network: PAGE, categoryIds: PAGE, 'feeds.feedId': LOOK_UP },
  communityUsers: {
    _id: LOOK_UP,
    userId: `${RARE}; a new name reaches all memberships of a user`,
    'userId, communityMembership': `${PAGE}; kept together by user, the members of a community would scatter`,
  },
  categories: { network: FEW },
  joinRequests: {
    requestorId: PAGE,
    'status, requestorId': PAGE,
    'targetType, targetId, status': PAGE,
    'targetType, targetId, requestorId': LOOK_UP,
    'targetType, status, requestorId': `${RARE}; whoever deletes their account asks no more`,
    'targetType, targetId, status, requestorId': `${LOOK_UP}; whoever becomes a member asks no more`,
  },
  pins: { _id: FEW, referenceId: FEW },
  posts: {
    'data.pollId': LOOK_UP,
    'feedType, parentPostId': PAGE,
    'feedType, parentPostId, flagCount': PAGE,
    'targetType, targetId': `${LOOK_UP}; when a flag is taken back, whether another post there is flagged`,
    'targetType, targetId, feedType': BY_ID_INSTEAD,
    'targetType, targetId, feedType, parentPostId': BY_ID_INSTEAD,
    'targetType, targetId, feedType, parentPostId, flagCount': BY_ID_INSTEAD,
    'targetType, targetId, feedType, parentPostId, postedUserId': BY_ID_INSTEAD,
    parentPostId: BY_ID_INSTEAD,
  },
  comments: {
    network: PAGE,
    parentId: PAGE,
    'referenceType, referenceId': BY_ID_INSTEAD,
    'referenceType, referenceId, parentId': BY_ID_INSTEAD,
    'targetType, targetId': `${LOOK_UP}; when a flag is taken back, whether another comment there is flagged`,
  },
  reactions: { reactionId: LOOK_UP },
  stories: { 'targetType, targetId': BY_ID_INSTEAD },
  storyTargets: { targetType: PAGE },
  polls: { userId: PAGE },
  videoStreams: { network: PAGE },
  rooms: { network: PAGE },
  channels: { _id: LOOK_UP, isPublic: PAGE },
  channelUsers: {
    _id: LOOK_UP,
    userId: `${RARE}; a new name reaches all memberships of a user`,
    'userId, membership': `${PAGE}; kept together by user, the members of a channel would scatter`,
  },
  messageFeeds: { channelId: LOOK_UP },
  userFeedMarkers: { feedId: `${PAGE}; kept together by feed, the markers of a user would scatter` },
  messages: {
    'isDeleted, channelId': `${RARE}; moderators ask where messages are flagged, and few are`,
    messageId: `${LOOK_UP}; what changes a message names its feed too`,
  },
};

/** Those of {@link SCATTERED} that change something. */
export const SCATTERED_WRITES = [
  'sessions by userId',
  'sessions by deviceId',
  'communityUsers by userId',
  'communityUsers by userId, communityMembership',
  'joinRequests by targetType, status, requestorId',
  'joinRequests by targetType, targetId, status, requestorId',
  'channelUsers by userId',
  'messageFeeds by channelId',
];

/** Queries whose records are sorted after they were found, and why that is little. */
export const SORTED: Reasons = {
  channels: { channelId: 'those that one user is a member of, 2,000 at most' },
  communities: { communityId: 'those that one user joined, 2,000 at most' },
  categories: { categoryId: 'those of one community' },
  pins: { 'targetType, targetId, placement': '50 at most' },
};
