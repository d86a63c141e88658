import { ObjectId } from 'mongodb';
import type { Collections } from '../../../src/store/collections.ts';
import { CHAT } from '../chat-sample.ts';
import { AUDIT } from './audit.ts';

const FLAG = `mutation { flagMessage(input: { messageId: "${CHAT.message('i-water')}" }) { ... on FlagMessagePayload { message { flagCount author { displayName } } } } }`;
const roles = (verb: string) =>
  `mutation { ${verb}ChannelRole(input: { channelId: "gardeners-chat", role: "channel-moderator", userIds: ["bob", "carol"] }) { __typename ... on ${verb === 'add' ? 'Add' : 'Remove'}ChannelRolePayload { channelUsers { roles user { displayName } } } } }`;
const mutation = (operation: string, input: string) => `mutation { ${operation}(input: { ${input} }) { __typename } }`;
const marked = (call: string) => `mutation { ${call} { __typename } }`;

/** An operation for each GraphQL field of the chat. Two commands read the session and the viewer's channel membership. */
export const CHAT_OPERATIONS: Array<[what: string, query: string, budget: number]> = [
  [
    'channel',
    '{ channel(channelId: "gardeners-chat") { displayName viewerMarker { unreadCount } messagePreview { data author { displayName } feed { name } } } }',
    10,
  ],
  [
    'channels',
    '{ channels(channelIds: ["gardeners-chat", "alice-and-bob", "seed-exchange"]) { displayName messagePreview { data author { displayName } feed { name } } conversationMembers { user { displayName } } } }',
    7,
  ],
  [
    'channelsByIds, messagesByIds and messageFeedsByIds',
    `{ channelsByIds(channelIds: ["gardeners-chat"]) { displayName } messagesByIds(messageIds: ["${CHAT.message('plan')}"]) { data } messageFeedsByIds(messageFeedIds: ["${CHAT.feed}"]) { name } }`,
    8,
  ],
  [
    'networkChannels',
    '{ networkChannels(first: 50) { edges { node { displayName memberCount messagePreview { data author { displayName } feed { name } } conversationMembers { user { displayName } } } } } }',
    15,
  ],
  [
    'networkChannels of a user with flags',
    '{ networkChannels(filter: FLAGGED, userId: "bob") { edges { node { displayName } } } }',
    9,
  ],
  [
    'channel.members',
    '{ channel(channelId: "gardeners-chat") { members(first: 20) { edges { node { roles user { displayName avatar { fileUrl } } channel { displayName } } } } } }',
    6,
  ],
  [
    'channel.messageFeeds',
    '{ channel(channelId: "gardeners-chat") { messageFeeds { edges { node { name creator { displayName } lastMessage { data author { displayName } } viewerMarker { unreadCount } } } } } }',
    8,
  ],
  [
    'viewerChannels',
    '{ viewerChannels(first: 20) { edges { node { displayName viewerMarker { unreadCount } messagePreview { data author { displayName } } } } } }',
    // One command reads the members whose names conversations show.
    12,
  ],
  [
    'channel.messages',
    '{ channel(channelId: "gardeners-chat") { defaultMessageFeed { name } messages(first: 50) { edges { node { data myReactions author { displayName avatar { fileUrl } } files { fileUrl } parent { data } } } } } }',
    9,
  ],
  [
    'viewer.channels',
    '{ viewer { unreadCounts { unreadCount } channels(first: 20) { edges { node { displayName viewerMarker { unreadCount } messagePreview { data author { displayName } } } } } } }',
    16,
  ],
  [
    'viewer.channels by the activity of the viewer',
    '{ viewer { channels(first: 20, sortBy: VIEWER_ACTIVITY) { edges { node { displayName } } } } }',
    7,
  ],
  ['viewer.communities', '{ viewer { communities(first: 20) { edges { node { displayName } } } } }', 4],
  ['viewer.unreadCounts', '{ viewer { unreadCounts { unreadCount isMentioned } } }', 8],
  [
    'messageFeed.messages',
    `{ messageFeed(messageFeedId: "${CHAT.feed}") { messages(first: 50) { edges { node { data myReactions author { displayName avatar { fileUrl } } files { fileUrl } parent { data } messageFeed { name } channel { displayName } } } } } }`,
    9,
  ],
  [
    'messageFeeds',
    `{ messageFeeds(messageFeedIds: ["${CHAT.feed}", "${CHAT.tools}"]) { name lastMessage { data } } }`,
    5,
  ],
  ['messageFeed by an earlier id', `{ messageFeed(messageFeedId: "${CHAT.earlierFeed}") { name } }`, 5],
  [
    'message',
    `{ message(messageId: "${CHAT.message('who-waters')}") { data replies { edges { node { data author { displayName } } } } } }`,
    7,
  ],
  [
    'messages',
    `{ messages(messageIds: ["${CHAT.message('who-waters')}", "${CHAT.message('plan')}"]) { data author { displayName } } }`,
    6,
  ],
  [
    'markers',
    `{ viewerMarker { unreadCount } viewerEntityMarkers(entityIds: ["${CHAT.channel}"]) { unreadCount } viewerFeedMarkers(messageFeedIds: ["${CHAT.feed}"]) { readToSegment } feedMarkers(messageFeedIds: ["${CHAT.feed}"]) { lastSegment } }`,
    10,
  ],
  ['addChannelRole', roles('add'), 10 + AUDIT],
  ['removeChannelRole', roles('remove'), 10 + AUDIT],
  ['flagMessage', FLAG, 11],
  [
    'markDelivering',
    marked(`markDelivering(input: { messageFeedId: "${CHAT.tools}", messageId: "${CHAT.message('shears')}" })`),
    9,
  ],
  ['markRead', marked(`markRead(input: { messageFeedId: "${CHAT.tools}", readToSegment: 1 })`), 10],
  [
    'keepReading',
    marked(`keepReading(input: { messageFeedIds: ["${CHAT.feed}", "${CHAT.tools}", "${CHAT.conversation}"] })`),
    8,
  ],
  ['stopReading', marked(`stopReading(input: { messageFeedId: "${CHAT.tools}" })`), 8],
  [
    'sendMessage',
    mutation(
      'sendMessage',
      `channelId: "gardeners-chat", data: { text: "Hi" }, parentId: "${CHAT.message('welcome')}", mentionedUsers: [{ type: USER, userIds: ["bob", "carol", "heidi"] }, { type: CHANNEL }]`,
    ),
    24,
  ],
  ['updateMessage', mutation('updateMessage', `messageId: "${CHAT.message('i-water')}", data: { text: "I did." }`), 12],
  ['clearMessageFlags', mutation('clearMessageFlags', `messageId: "${CHAT.message('i-water')}"`), 9 + AUDIT],
  ['unflagMessage', mutation('unflagMessage', `messageId: "${CHAT.message('i-water')}"`), 9],
  ['isMessageFlagged', `{ isMessageFlagged(messageId: "${CHAT.message('i-water')}") }`, 6],
  ['markChannelRead', marked(`markChannelRead(input: { channelId: "${CHAT.channel}" })`), 12],
  ['markChannelsSeen', marked('markChannelsSeen(input: { channels: [{ channelId: "gardeners-chat" }] })'), 9],
  ['syncMarkers', marked('syncMarkers(input: {})'), 11],
  ['createChannel', mutation('createChannel', 'channelId: "shed", displayName: "Shed", userIds: ["bob", "carol"]'), 12],
  ['createConversation', mutation('createConversation', 'userIds: ["heidi", "carol"]'), 13],
  ['updateChannel', mutation('updateChannel', 'channelId: "shed", tags: ["tools"]'), 7 + AUDIT],
  ['muteChannel', mutation('muteChannel', 'channelId: "shed", mutePeriod: 0'), 6],
  // With the membership, which is cached only if the change stream has reached the process since it changed.
  ['setChannelRateLimit', mutation('setChannelRateLimit', 'channelId: "shed", rateLimit: 100'), 7 + AUDIT],
  ['leaveChannel', mutation('leaveChannel', 'channelId: "seed-exchange"'), 9],
  ['joinChannel', mutation('joinChannel', 'channelId: "seed-exchange"'), 15],
  [
    'addChannelMembers',
    mutation('addChannelMembers', 'channelId: "shed", userIds: ["heidi", "mia", "erin"]'),
    14 + AUDIT,
  ],
  [
    'muteChannelMembers',
    mutation('muteChannelMembers', 'channelId: "shed", userIds: ["heidi", "mia"], mutePeriod: 1'),
    12,
  ],
  ['removeChannelMembers', mutation('removeChannelMembers', 'channelId: "shed", userIds: ["heidi", "mia"]'), 12],
  ['banChannelMembers', mutation('banChannelMembers', 'channelId: "shed", userIds: ["bob", "carol"]'), 12],
  ['unbanChannelMembers', mutation('unbanChannelMembers', 'channelId: "shed", userIds: ["bob", "carol"]'), 11],
  ['deleteChannel', mutation('deleteChannel', 'channelId: "shed"'), 6 + AUDIT],
  ['createMessageFeed', mutation('createMessageFeed', 'channelId: "gardeners-chat", name: "Aside"'), 10],
  ['updateMessageFeed', mutation('updateMessageFeed', `messageFeedId: "${CHAT.tools}", name: "Spades"`), 7 + AUDIT],
  ['createVideoStream', mutation('createVideoStream', 'title: "Live", channelEnabled: true'), 10],
  ['updateVideoStream', mutation('updateVideoStream', 'streamId: "greenhouse-tour", title: "Tour"'), 5],
  ['createRoom', mutation('createRoom', 'title: "Bench", targetType: USER, targetId: "alice"'), 4],
  ['updateRoom', mutation('updateRoom', 'roomId: "seed-swap", title: "Swap"'), 6],
];

/** Operations that remove records which other operations and routes use. */
export const CHAT_ENDINGS: typeof CHAT_OPERATIONS = [
  ['deleteMessage', mutation('deleteMessage', `messageId: "${CHAT.message('see-you')}"`), 16],
  ['deleteMessageFeed', mutation('deleteMessageFeed', `messageFeedId: "${CHAT.tools}"`), 11 + AUDIT],
  ['stopVideoStream', mutation('stopVideoStream', 'streamId: "greenhouse-tour"'), 5],
  ['deleteVideoStream', mutation('deleteVideoStream', 'streamId: "greenhouse-tour"'), 6],
  ['deleteRoom', mutation('deleteRoom', 'roomId: "seed-swap"'), 6],
];

/** Stores the default feed of the gardeners' channel as migration 9 leaves it: its earlier id remains its `_id`. */
export async function prepareEarlierFeed({ messageFeeds }: Collections): Promise<void> {
  const feed = await messageFeeds.findOneAndDelete({ networkId: 'default', messageFeedId: CHAT.feed });
  await messageFeeds.insertOne({ ...feed!, _id: new ObjectId(CHAT.earlierFeed) });
}

/** Inserts a room and a stream that have not started; the sample network has none. */
export async function prepareMedia({ rooms, videoStreams }: Collections): Promise<void> {
  const [room, stream] = await Promise.all([
    rooms.findOne({ networkId: 'default', roomId: 'seed-swap' }),
    videoStreams.findOne({ networkId: 'default', streamId: 'spring-show' }),
  ]);
  await rooms.insertOne({ ...room!, _id: new ObjectId(), roomId: 'ready-room', status: 'idle' });
  await videoStreams.insertOne({ ...stream!, _id: new ObjectId(), streamId: 'ready-stream', status: 'idle' });
}

/** Operations of network moderators, some on behalf of a media service. */
export const MEDIA_OPERATIONS: Array<[what: string, query: string, budget: number]> = [
  ['addRoomParticipants', mutation('addRoomParticipants', 'roomId: "potting-bench", userIds: ["carol"]'), 7 + AUDIT],
  [
    'removeRoomParticipants',
    mutation('removeRoomParticipants', 'roomId: "potting-bench", userIds: ["carol"]'),
    6 + AUDIT,
  ],
  ['startRoom', mutation('startRoom', 'roomId: "ready-room"'), 6 + AUDIT],
  [
    'addLiveReactions',
    mutation(
      'addLiveReactions',
      'postId: "potting", roomId: "potting-bench", reactions: [{ reactionName: "clap" }, { reactionName: "love" }]',
    ),
    9,
  ],
  ['reportRoom', mutation('reportRoom', 'roomId: "potting-bench", status: WAITING_RECONNECT'), 6 + AUDIT],
  [
    'setRoomModeration',
    mutation('setRoomModeration', 'roomId: "potting-bench", flagLabels: [], terminateLabels: []'),
    6 + AUDIT,
  ],
  ['stopRoom', mutation('stopRoom', 'roomId: "potting-bench"'), 6 + AUDIT],
  [
    'recordRoom',
    mutation(
      'recordRoom',
      'roomId: "potting-bench", recordedPlaybackInfos: [{ url: "https://media.test/live/a", thumbnailUrl: "https://media.test/live/a" }]',
    ),
    6 + AUDIT,
  ],
  ['startVideoStream', mutation('startVideoStream', 'streamId: "ready-stream"'), 5 + AUDIT],
  [
    'provideVideoStream',
    mutation(
      'provideVideoStream',
      'streamId: "ready-stream", streamerUrl: "https://media.test/live/a", watcherUrl: { flv: "https://media.test/live/a", hls: "https://media.test/live/a", rtmp: "https://media.test/live/a" }',
    ),
    5 + AUDIT,
  ],
  [
    'recordVideoStream',
    mutation(
      'recordVideoStream',
      'streamId: "spring-show", recordings: [{ flv: { url: "https://media.test/live/a", duration: 1, startTime: 1, stopTime: 2 }, mp4: { url: "https://media.test/live/a", duration: 1, startTime: 1, stopTime: 2 }, m3u8: { url: "https://media.test/live/a", duration: 1, startTime: 1, stopTime: 2 } }]',
    ),
    5 + AUDIT,
  ],
];
