import { createSampleContext } from '../../src/sample/context.ts';
import type { CallTable } from './calls.ts';
import { AUDIT } from './operations/audit.ts';

const context = createSampleContext({ networkId: 'default', now: new Date(0) });

/** Generated ids of the sample chat; `feed` is the default feed of the gardeners' channel, whose internal id it has. */
export const CHAT = {
  channel: context.hex('channel', 'gardeners-chat'),
  feed: context.hex('channel', 'gardeners-chat'),
  /** The id that `feed` had in older releases, once `prepareEarlierFeed` has been called. */
  earlierFeed: context.hex('messageFeed', 'gardeners-chat/default'),
  tools: context.hex('messageFeed', 'gardeners-chat/tools'),
  pests: context.hex('messageFeed', 'gardeners-chat/pests'),
  conversation: context.hex('channel', 'alice-and-bob'),
  exchange: context.hex('channel', 'seed-exchange'),
  orchard: context.hex('channel', 'orchard-keepers-chat'),
  message: (name: string) => context.hex('message', name),
  user: (userId: string) => context.hex('user', userId),
};

export const CHANNEL_ARRAYS = ['channels', 'users', 'files', 'channelUsers', 'messagePreviews', 'messageFeedsInfo'];
export const MARKER_ARRAYS = ['userMarkers', 'userFeedMarkers', 'userEntityMarkers', 'feedMarkers'];

/** A call of each chat route, with its budget of database commands. */
export const CHAT_CALLS: CallTable = {
  'GET /api/v3/channels/:channelId/users': () => ({ path: '/api/v3/channels/gardeners-chat/users', budget: 10 }),
  'GET /api/v4/channels/:channelId/users': () => ({ path: '/api/v4/channels/gardeners-chat/users', budget: 10 }),
  'GET /api/v3/channels/list': () => ({
    path: '/api/v3/channels/list?channelIds[]=gardeners-chat&channelIds[]=alice-and-bob',
    budget: 8,
  }),
  'GET /api/v3/channels': () => ({ path: '/api/v3/channels', budget: 16 }),
  'GET /api/v3/channels/:channelId': () => ({ path: '/api/v3/channels/alice-and-bob', budget: 8 }),
  'POST /api/v3/channels/:channelId/users/roles': () => ({
    path: '/api/v3/channels/gardeners-chat/users/roles',
    body: { role: 'channel-moderator', userIds: ['carol'] },
    budget: 13 + AUDIT,
  }),
  'DELETE /api/v3/channels/:channelId/users/roles': () => ({
    path: '/api/v3/channels/gardeners-chat/users/roles',
    body: { role: 'channel-moderator', userIds: ['carol'] },
    budget: 13 + AUDIT,
  }),
  'GET /api/v5/message-feeds/:messageFeedId': () => ({ path: `/api/v5/message-feeds/${CHAT.feed}`, budget: 6 }),
  'GET /api/v5/message-feeds/channel/:channelId': () => ({
    path: `/api/v5/message-feeds/channel/${CHAT.channel}`,
    budget: 10,
  }),
  'GET /api/v5/message-feeds/list': () => ({
    path: `/api/v5/message-feeds/list?messageFeedIds[]=${CHAT.feed}`,
    budget: 7,
  }),
  'GET /api/v5/messages': () => ({ path: `/api/v5/messages?messageFeedId=${CHAT.feed}`, budget: 11 }),
  'GET /api/v5/messages/list': () => ({
    path: `/api/v5/messages/list?messageIds[]=${CHAT.message('welcome')}`,
    budget: 8,
  }),
  'GET /api/v5/messages/:messageId': () => ({ path: `/api/v5/messages/${CHAT.message('i-water')}`, budget: 8 }),
  'POST /api/v3/messages/:messageId/flag': () => ({
    path: `/api/v3/messages/${CHAT.message('i-water')}/flag`,
    budget: 13,
  }),
  'POST /api/v5/messages/:messageId/flags': () => ({
    path: `/api/v5/messages/${CHAT.message('see-you')}/flags`,
    body: { reason: 'Others' },
    budget: 12,
  }),
  'PUT /api/v1/markers/message-feeds/:messageFeedId/mark-delivering': () => ({
    as: 'heidi',
    path: `/api/v1/markers/message-feeds/${CHAT.feed}/mark-delivering`,
    body: { messageId: CHAT.message('meeting') },
    budget: 16,
  }),
  'PUT /api/v1/markers/message-feeds/:messageFeedId/mark-read': () => ({
    as: 'heidi',
    path: `/api/v1/markers/message-feeds/${CHAT.feed}/mark-read`,
    body: { readToSegment: 5 },
    budget: 16,
  }),
  'POST /api/v1/markers/message-feeds/reading': () => ({
    path: '/api/v1/markers/message-feeds/reading',
    body: { messageFeedIds: [CHAT.feed, CHAT.tools, CHAT.conversation] },
    budget: 15,
  }),
  'POST /api/v1/markers/message-feeds/:messageFeedId/start-reading': () => ({
    path: `/api/v1/markers/message-feeds/${CHAT.feed}/start-reading`,
    budget: 14,
  }),
  'POST /api/v1/markers/message-feeds/:messageFeedId/stop-reading': () => ({
    path: `/api/v1/markers/message-feeds/${CHAT.feed}/stop-reading`,
    budget: 15,
  }),
  'POST /api/v1/markers/message-feeds/:messageFeedId/stop-readings': () => ({
    path: `/api/v1/markers/message-feeds/${CHAT.feed}/stop-readings`,
    budget: 14,
  }),
  'GET /api/v1/markers/userMarker': () => ({ path: '/api/v1/markers/userMarker', budget: 8 }),
  'GET /api/v1/markers/channels': () => ({ path: `/api/v1/markers/channels?channelIds[]=${CHAT.channel}`, budget: 10 }),
  'GET /api/v1/markers/message-feeds': () => ({
    path: `/api/v1/markers/message-feeds?messageFeedIds[]=${CHAT.feed}`,
    budget: 12,
  }),
  'GET /api/v1/markers/messages': () => ({
    path: `/api/v1/markers/messages?messageIds[]=${CHAT.message('welcome')}`,
    budget: 11,
  }),
  'GET /api/v1/markers/user-message-feed': () => ({
    path: `/api/v1/markers/user-message-feed?channelIds[]=${CHAT.channel}`,
    budget: 11,
  }),
  'POST /api/v5/messages': () => ({
    path: '/api/v5/messages',
    body: { messageFeedId: CHAT.feed, dataType: 'text', data: { text: 'Hello' } },
    budget: 16,
  }),
  'PUT /api/v5/messages/:messageId': () => ({
    path: `/api/v5/messages/${CHAT.message('meeting')}`,
    body: { data: { text: 'We meet on Monday.' } },
    budget: 14,
  }),
  'GET /api/v5/messages/:messageId/flags': () => ({
    path: `/api/v5/messages/${CHAT.message('i-water')}/flags`,
    budget: 6,
  }),
  'DELETE /api/v5/messages/:messageId/flags': () => ({
    path: `/api/v5/messages/${CHAT.message('see-you')}/flags`,
    budget: 14,
  }),
  'DELETE /api/v5/messages/:messageId': () => ({
    path: `/api/v5/messages/${CHAT.message('borrow')}`,
    budget: 22,
  }),
  'PUT /api/v1/markers/channels/:channelId/mark-read': () => ({
    path: `/api/v1/markers/channels/${CHAT.channel}/mark-read`,
    budget: 18,
  }),
  'POST /api/v1/markers/sync': () => ({ path: '/api/v1/markers/sync', budget: 12 }),
  'POST /api/v3/channels/seen': () => ({
    path: '/api/v3/channels/seen',
    body: { channels: [{ channelId: 'gardeners-chat', readToSegment: 2 }] },
    budget: 14,
  }),
  'POST /api/v3/channels/:channelId/seen': () => ({
    path: '/api/v3/channels/gardeners-chat/seen',
    body: { readToSegment: 2 },
    budget: 14,
  }),
  'GET /api/v1/markers/messages/:messageId/read-users': () => ({
    path: `/api/v1/markers/messages/${CHAT.message('welcome')}/read-users`,
    budget: 14,
  }),
  'GET /api/v1/markers/messages/:messageId/delivered-users': () => ({
    path: `/api/v1/markers/messages/${CHAT.message('welcome')}/delivered-users`,
    budget: 14,
  }),
  'POST /api/v5/message-feeds': () => ({
    path: '/api/v5/message-feeds',
    body: { channelId: CHAT.channel, name: 'Aside' },
    budget: 13,
  }),
  'PUT /api/v5/message-feeds/:messageFeedId': () => ({
    path: `/api/v5/message-feeds/${CHAT.tools}`,
    body: { name: 'Implements' },
    budget: 10 + AUDIT,
  }),
  'DELETE /api/v5/message-feeds/:messageFeedId': () => ({
    path: `/api/v5/message-feeds/${CHAT.tools}`,
    budget: 16 + AUDIT,
  }),
  'POST /api/v3/channels': () => ({
    path: '/api/v3/channels',
    body: { channelId: 'budget', displayName: 'New', userIds: ['bob', 'carol'] },
    budget: 14,
  }),
  'POST /api/v3/channels/conversation': () => ({
    path: '/api/v3/channels/conversation',
    body: { userIds: ['bob', 'carol'] },
    budget: 16,
  }),
  'PUT /api/v3/channels/:channelId': () => ({
    as: 'admin',
    path: '/api/v3/channels/seed-exchange',
    body: { tags: ['swap'] },
    budget: 12,
  }),
  'POST /api/v3/channels/:channelId/join': () => ({
    as: 'nina',
    path: '/api/v3/channels/seed-exchange/join',
    budget: 21,
  }),
  'DELETE /api/v3/channels/:channelId/leave': () => ({
    as: 'nina',
    path: '/api/v3/channels/seed-exchange/leave',
    budget: 16,
  }),
  'POST /api/v3/channels/:channelId/users': () => ({
    as: 'admin',
    path: '/api/v3/channels/seed-exchange/users',
    body: { userIds: ['mia', 'nina', 'heidi'] },
    budget: 22 + AUDIT,
  }),
  'PUT /api/v3/channels/:channelId/users/ban': () => ({
    as: 'admin',
    path: '/api/v3/channels/seed-exchange/users/ban',
    body: { userIds: ['mia'] },
    budget: 20,
  }),
  'PUT /api/v3/channels/:channelId/users/unban': () => ({
    as: 'admin',
    path: '/api/v3/channels/seed-exchange/users/unban',
    body: { userIds: ['mia'] },
    budget: 18,
  }),
  'DELETE /api/v3/channels/:channelId/users': () => ({
    as: 'admin',
    path: '/api/v3/channels/seed-exchange/users',
    body: { userIds: ['erin'] },
    budget: 20,
  }),
  'PUT /api/v2/channel/:channelId/mute': () => ({
    as: 'admin',
    path: '/api/v2/channel/seed-exchange/mute',
    body: { mutePeriod: 1 },
    budget: 14,
  }),
  'PUT /api/v2/channel/:channelId/users/mute': () => ({
    as: 'admin',
    path: '/api/v2/channel/seed-exchange/users/mute',
    body: { userIds: ['alice'], mutePeriod: 1 },
    budget: 18,
  }),
  'DELETE /api/v3/channels/:channelId': () => ({
    as: 'admin',
    path: '/api/v3/channels/greenhouse-chat',
    budget: 12,
  }),
};

/** Variables of the chat's query documents. */
export const CHAT_VARIABLES: { [operation: string]: Array<Record<string, unknown>> } = {
  ChannelUsers: [
    { channelId: 'gardeners-chat' },
    { channelId: 'seed-exchange', memberships: ['MUTED', 'BANNED'], sortBy: 'DISPLAY_NAME', last: 2 },
  ],
  ListChannels: [{ channelIds: ['gardeners-chat', 'alice-and-bob', 'no-such-channel'] }],
  GetChannel: [{ channelId: 'seed-exchange' }],
  GetMessageFeed: [{ messageFeedId: CHAT.feed }],
  MessageFeedsOfChannel: [{ channelId: CHAT.channel, first: 2 }, { channelId: 'gardeners-chat' }],
  ListMessageFeeds: [{ messageFeedIds: [CHAT.feed, CHAT.tools, CHAT.conversation] }],
  ListMessages: [
    { messageFeedId: CHAT.feed, first: 3 },
    { messageFeedId: CHAT.exchange, sortBy: 'SEGMENT_ASC' },
  ],
  ListMessagesByIds: [{ messageIds: [CHAT.message('wrong'), CHAT.message('plan')] }],
  GetMessage: [{ messageId: CHAT.message('who-waters') }],
  ChannelMarkers: [{ entityIds: [CHAT.channel] }],
  MessageFeedMarkers: [{ messageFeedIds: [CHAT.feed] }],
  MessageMarkers: [{ messageIds: [CHAT.message('welcome')] }],
  ReadUsersOfMessage: [{ messageId: CHAT.message('welcome'), first: 2 }],
  DeliveredUsersOfMessage: [{ messageId: CHAT.message('welcome') }],
  IsMessageFlagged: [{ messageId: CHAT.message('welcome') }],
  UserMessageFeedMarkers: [{ entityIds: [CHAT.channel] }],
};
