import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/event-payloads.ts';
import { type OwnDocument, operation } from '../documents.ts';
import { POST_ARRAYS } from '../side-arrays.ts';
import { CHANNEL_MUTE, type EventFields, MEMBER_MUTE, ROOM_PARTICIPANT } from './event-fields.ts';

/** The `data` of an event: a document whose result is flattened into side arrays, see docs/interface.md#event-envelope. */
export interface EventDocument {
  document: OwnDocument<Record<never, never>>;
  /** Names of the side arrays; each is always present. */
  arrays: readonly string[];
  /** Whether `data` has the reaction: as `reactor`, or also as the element of `reactions`. */
  reactor?: 'alone' | 'listed';
  /** Further fields of `data`. */
  fields?: EventFields;
  /**
   * Whether it selects the membership of the viewer in the event's community, with which the shared text is completed
   * for each receiver.
   */
  hasReceiver?: true;
  /** Whether it is a push webhook, which has notification fields and its own envelope. */
  isPush?: true;
}

const COMMENT_ARRAYS = ['comments', 'commentChildren', 'communityUsers', 'users', 'roles', 'files'];
const MESSAGE_ARRAYS = ['messages', 'messageFeeds', 'users', 'files'];
const STORY_ARRAYS = ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'];
const COMMUNITY_ARRAYS = ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds'];
/** Published clients link a member to a user that they have stored before, so users come first. */
const CHANNEL_ARRAYS = ['channels', 'users', 'files', 'channelUsers', 'messagePreviews', 'messageFeedsInfo'];
const ROOM_ARRAYS = ['rooms', 'roomChildrens', 'users', 'files'];
const PREVIEWS = ['messagePreviews', 'messageFeedsInfo'];
const POST_REACTION_ARRAYS = [
  'posts',
  'postChildren',
  'comments',
  'users',
  'files',
  'communities',
  'communityUsers',
  'categories',
  'feeds',
  'videoStreamings',
  'polls',
];

const eventDocument = (document: EventDocument['document'], arrays: readonly string[]): EventDocument => ({
  document,
  arrays,
});
const withReactor = (document: EventDocument['document'], arrays: readonly string[]): EventDocument => ({
  document,
  arrays,
  reactor: 'alone',
});
const withReactions = (document: EventDocument['document'], arrays: readonly string[]): EventDocument => ({
  document,
  arrays,
  reactor: 'listed',
});

const withReceiver = (document: EventDocument): EventDocument => ({ ...document, hasReceiver: true });

const PUSH: EventDocument = {
  document: operation('PushPostEvent'),
  arrays: ['posts', 'users', 'files', 'communities'],
  isPush: true,
};

const BY_KIND: { readonly [Kind in EventKind]: EventDocument } = {
  post: eventDocument(operation('PostEvent'), [...POST_ARRAYS, 'products']),
  postReaction: withReactor(operation('PostReactionEvent'), POST_REACTION_ARRAYS),
  comment: eventDocument(operation('CommentEvent'), COMMENT_ARRAYS),
  commentReaction: withReactor(operation('CommentReactionEvent'), COMMENT_ARRAYS),
  story: eventDocument(operation('StoryEvent'), STORY_ARRAYS),
  storyReaction: withReactions(operation('StoryReactionEvent'), STORY_ARRAYS),
  community: withReceiver(eventDocument(operation('CommunityEvent'), COMMUNITY_ARRAYS)),
  communityUsers: withReceiver(eventDocument(operation('CommunityUsersEvent'), COMMUNITY_ARRAYS)),
  channel: eventDocument(operation('ChannelEvent'), CHANNEL_ARRAYS),
  channelUsers: eventDocument(operation('ChannelUsersEvent'), CHANNEL_ARRAYS),
  messageFeed: eventDocument(operation('MessageFeedEvent'), [
    'messageFeeds',
    'messages',
    ...PREVIEWS,
    'users',
    'files',
  ]),
  message: eventDocument(operation('MessageEvent'), [...MESSAGE_ARRAYS, 'reactions']),
  messageReaction: withReactions(operation('MessageReactionEvent'), MESSAGE_ARRAYS),
  user: eventDocument(operation('UserEvent'), ['users', 'files']),
  follow: eventDocument(operation('FollowEvent'), ['follows', 'users', 'files']),
  marker: eventDocument(operation('MarkerEvent'), ['userFeedMarkers', 'feedMarkers']),
  feedMarker: eventDocument(operation('FeedMarkerEvent'), ['contentMarkers', 'feedMarkers']),
  poll: eventDocument(operation('PollEvent'), ['polls', 'users', 'files']),
  videoStream: eventDocument(operation('VideoStreamEvent'), [
    'videoStreamings',
    'videoStreamingChildren',
    'videoStreamModerations',
    'users',
    'files',
  ]),
  room: eventDocument(operation('RoomEvent'), ROOM_ARRAYS),
  roomParticipant: {
    ...eventDocument(operation('RoomParticipantEvent'), ROOM_ARRAYS),
    fields: ROOM_PARTICIPANT,
  },
  liveReaction: eventDocument(operation('LiveReactionEvent'), ['reactions']),
  joinRequest: eventDocument(operation('JoinRequestEvent'), ['joinRequests', 'users', 'files']),
  role: eventDocument(operation('RoleEvent'), ['roles']),
  category: eventDocument(operation('CategoryEvent'), ['categories', 'files']),
  file: eventDocument(operation('FileEvent'), ['files']),
};

/** Events whose `data` differs from that of their kind, see docs/interface.md#community-events and #channel-events. */
const BY_NAME: { readonly [Name in EventName]?: EventDocument } = {
  'community.userChanged': eventDocument(operation('CommunityUserChangedEvent'), COMMUNITY_ARRAYS),
  'channel.deleted': eventDocument(operation('ChannelDeletedEvent'), ['channels', 'users', 'files', 'channelUsers']),
  'channel.setMuted': { ...BY_KIND.channel, fields: CHANNEL_MUTE },
  'channel.setMutedUsers': { ...BY_KIND.channelUsers, fields: MEMBER_MUTE },
  'marker.user-sync': eventDocument(operation('MarkerSyncEvent'), [
    'userMarkers',
    'userEntityMarkers',
    'userFeedMarkers',
  ]),
  'mention-post.created': PUSH,
  'post.need-reviewing': PUSH,
};

/** `v5.message.didDelete`: the one webhook whose `data` differs from that of its event. */
export const MESSAGE_DID_DELETE = eventDocument(operation('MessageDidDeleteEvent'), [
  'files',
  'messageFeeds',
  'messages',
  'reactors',
  'users',
]);

export function documentOf(name: EventName): EventDocument {
  return BY_NAME[name] ?? BY_KIND[EVENTS[name].kind];
}

/** The document of an event's webhook delivery. */
export function deliveryDocumentOf(name: EventName): EventDocument {
  return name === 'message.deleted' ? MESSAGE_DID_DELETE : documentOf(name);
}
