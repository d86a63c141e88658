import { type Row, rows } from './row.ts';

/** Reads of content in a channel. */
const READS = {
  'in a public channel': '- + + + . + + + + .',
  'in a private channel': '- . + + . + + + + .',
};
/** Actions of members. */
const MEMBERS = {
  'in a public channel': '- - + + . + + - - .',
  'in a private channel': '- . + + . + + - - .',
};
/** Actions of the author and of moderators. */
const OWN = {
  'one of `author` in a public channel': '- - - - . + + + + .',
  'one of `author` in a private channel': '- . - - . + + + + .',
};
/** Actions of moderators on the content of a channel. */
const FEEDS = {
  'in a public channel': '- - - - . - + + + .',
  'in a private channel': '- . - - . - + + + .',
};
/** Actions of moderators on a channel's record and members. */
const MODERATORS = {
  'a public channel': '- - - - - - + + + .',
  'a private channel': '- . - - . - + + + .',
};

/** Reads of streams and rooms, which are visible with the post that contains them. */
const SHOWN = {
  'shown by a post in a public community': '- + + + . + + + + .',
  'shown by a post in a private community': '- . + + . + + + + .',
};
/** Actions of the creator and of network moderators. */
const OWN_MEDIA = {
  'one of `author`, shown in a public community': '- - - - . + - + + .',
  'one of `author` that no post shows': '- . . . . + . + + .',
};
/** Reports of a media service, as a network moderator or with the server key. */
const MEDIA_SERVICE = { 'without the server key': '- - - - - - - + + .' };

/** Channels and their members, message feeds, messages, markers, video streams, rooms. */
export const CHAT: readonly Row[] = rows({
  channel: { 'a public channel': '- + + + + + + + + .', 'a private channel': '- . + + . + + + + .' },
  channels: { 'a public channel': '- + + + + + + + + .', 'a private channel': '- . + + . + + + + .' },
  channelsByIds: { 'a public channel': '- + + + + + + + + .', 'a private channel': '- . + + . + + + + .' },
  networkChannels: { 'a public channel': '- + + + + + + + + .', 'a private channel': '- . + + . + + + + .' },
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
  messageFeedsByIds: READS,
  createMessageFeed: FEEDS,
  updateMessageFeed: FEEDS,
  deleteMessageFeed: FEEDS,

  message: READS,
  messages: READS,
  messagesByIds: READS,
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
  messageMarkers: READS,
  markDelivering: MEMBERS,
  markRead: MEMBERS,
  keepReading: { 'in a public channel': '- . + + . + + . . .' },
  stopReading: MEMBERS,
  markChannelRead: MEMBERS,
  markChannelsSeen: MEMBERS,
  videoStream: SHOWN,
  videoStreams: { 'one of `author` that no post shows': '- . . . . + . + + .' },
  createVideoStream: { 'one’s own': '- + + + + + + + + +' },
  updateVideoStream: OWN_MEDIA,
  startVideoStream: OWN_MEDIA,
  stopVideoStream: OWN_MEDIA,
  deleteVideoStream: OWN_MEDIA,
  provideVideoStream: MEDIA_SERVICE,
  recordVideoStream: MEDIA_SERVICE,

  room: SHOWN,
  rooms: { 'one of `author` that no post shows': '- . . . . + . + + .' },
  createRoom: {
    'in a public community': '- - + + . + + + + .',
    'in a private community': '- . + + . + + + + .',
  },
  updateRoom: OWN_MEDIA,
  startRoom: OWN_MEDIA,
  stopRoom: OWN_MEDIA,
  deleteRoom: OWN_MEDIA,
  addRoomParticipants: OWN_MEDIA,
  removeRoomParticipants: OWN_MEDIA,
  reportRoom: MEDIA_SERVICE,
  recordRoom: MEDIA_SERVICE,
  setRoomModeration: MEDIA_SERVICE,

  syncMarkers: { 'one’s own': '- + + + + + + + + +' },
});
