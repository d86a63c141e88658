import { type Row, rows } from './row.ts';

/** What whoever sees a channel from inside reads. */
const READS = {
  'in a public channel': '- + + + . + + + + .',
  'in a private channel': '- . + + . + + + + .',
};
/** What members alone do. */
const MEMBERS = {
  'in a public channel': '- - + + . + + - - .',
  'in a private channel': '- . + + . + + - - .',
};
/** What the author does, and moderators. */
const OWN = {
  'one of `author` in a public channel': '- - - - . + + + + .',
  'one of `author` in a private channel': '- . - - . + + + + .',
};
/** What moderators do who see inside the channel. */
const FEEDS = {
  'in a public channel': '- - - - . - + + + .',
  'in a private channel': '- . - - . - + + + .',
};
/** What moderators do who see the channel's record. */
const MODERATORS = {
  'a public channel': '- - - - - - + + + .',
  'a private channel': '- . - - . - + + + .',
};

/** Channels and their members, message feeds, messages, markers, video streams, rooms. */
export const CHAT: readonly Row[] = rows({
  channel: { 'a public channel': '- + + + + + + + + .', 'a private channel': '- . + + . + + + + .' },
  channels: { 'a public channel': '- + + + + + + + + .', 'a private channel': '- . + + . + + + + .' },
  viewerChannels: { 'one’s own': '- + + + + + + + + +' },
  addChannelRole: MODERATORS,
  removeChannelRole: MODERATORS,
  createChannel: { 'one that anybody may join': '- + + + + + + + + +', 'a broadcast': '- - - - - - - + + +' },
  createConversation: { 'with `bystander`': '- + + + + + + + + .' },
  updateChannel: { ...MODERATORS, 'a conversation of `member` and `author`': '- . + . . + . + + .' },
  deleteChannel: { ...MODERATORS, 'a conversation of `member` and `author`': '- . - . . - . + + .' },
  joinChannel: { 'a public channel': '- + + + - + + + + .', 'a private channel': '- . + + . + + + + .' },
  leaveChannel: { 'a public channel': '- + + + - + + + + .', 'a private channel': '- . + + . + + + + .' },
  addChannelMembers: MODERATORS,
  removeChannelMembers: MODERATORS,
  banChannelMembers: MODERATORS,
  unbanChannelMembers: MODERATORS,
  muteChannelMembers: MODERATORS,
  muteChannel: MODERATORS,
  setChannelRateLimit: MODERATORS,

  messageFeed: READS,
  messageFeeds: READS,
  createMessageFeed: FEEDS,
  updateMessageFeed: FEEDS,
  deleteMessageFeed: FEEDS,

  message: READS,
  messages: READS,
  isMessageFlagged: READS,
  sendMessage: {
    'in a public channel': '- - + - . + + - - .',
    'in a private channel': '- . + - . + + - - .',
    'in a muted channel': '- - - - . - + - - .',
    'in a broadcast': '- - - - . - + - - .',
  },
  updateMessage: OWN,
  deleteMessage: OWN,
  flagMessage: READS,
  unflagMessage: READS,
  clearMessageFlags: { 'in a public channel': '- - - - . - + + + .' },

  viewerMarker: { 'one’s own': '- + + + + + + + + +' },
  viewerEntityMarkers: { 'of a public channel': '- . + + + + + . . .' },
  viewerFeedMarkers: { 'in a public channel': '- . + + . + + . . .' },
  viewerFeedMarkersOfChannels: { 'of a public channel': '- . + + . + + . . .' },
  feedMarkers: READS,
  feedMarkersOfMessages: READS,
  markDelivering: MEMBERS,
  markRead: MEMBERS,
  keepReading: { 'in a public channel': '- . + + . + + . . .' },
  stopReading: MEMBERS,
  markChannelRead: MEMBERS,
  markChannelsSeen: MEMBERS,
  syncMarkers: { 'one’s own': '- + + + + + + + + +' },
});
