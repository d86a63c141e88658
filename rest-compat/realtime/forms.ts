import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import type { EventKind } from '../../src/events/event-payloads.ts';
import { type OwnDocument, operation } from '../documents.ts';
import { POST_ARRAYS } from '../side-arrays.ts';

/** The `data` of an event: a document whose answer is flattened, and the arrays it has (interface §6). */
export interface EventForm {
  document: OwnDocument<Record<never, never>>;
  /** Side arrays, each always present. */
  arrays: readonly string[];
  /** Whether `data` has the reaction, as `reactor`. */
  hasReactor?: true;
  /** Whether a webhook is told what a notification needs, in an envelope of its own. */
  isPush?: true;
}

const COMMENT_ARRAYS = ['comments', 'communityUsers', 'users', 'roles', 'files'];
const STORY_ARRAYS = ['stories', 'comments', 'files', 'users', 'communities', 'communityUsers', 'categories'];
const COMMUNITY_ARRAYS = ['communities', 'communityUsers', 'files', 'users', 'categories', 'feeds'];
const CHANNEL_ARRAYS = ['channels', 'channelUsers', 'users', 'files'];
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

const form = (document: EventForm['document'], arrays: readonly string[]): EventForm => ({ document, arrays });
const withReactor = (document: EventForm['document'], arrays: readonly string[]): EventForm => ({
  document,
  arrays,
  hasReactor: true,
});

const PUSH: EventForm = {
  document: operation('PushPostTold'),
  arrays: ['posts', 'users', 'files', 'communities'],
  isPush: true,
};

const BY_KIND: { readonly [Kind in EventKind]: EventForm } = {
  post: form(operation('PostTold'), POST_ARRAYS),
  postReaction: withReactor(operation('PostReactionTold'), POST_REACTION_ARRAYS),
  comment: form(operation('CommentTold'), COMMENT_ARRAYS),
  commentReaction: withReactor(operation('CommentReactionTold'), COMMENT_ARRAYS),
  story: form(operation('StoryTold'), STORY_ARRAYS),
  storyReaction: withReactor(operation('StoryReactionTold'), STORY_ARRAYS),
  community: form(operation('CommunityTold'), COMMUNITY_ARRAYS),
  communityUsers: form(operation('CommunityUsersTold'), COMMUNITY_ARRAYS),
  channel: form(operation('ChannelTold'), [...CHANNEL_ARRAYS, ...PREVIEWS]),
  channelUsers: form(operation('ChannelUsersTold'), [...CHANNEL_ARRAYS, ...PREVIEWS]),
  messageFeed: form(operation('MessageFeedTold'), ['messageFeeds', 'messages', ...PREVIEWS, 'users', 'files']),
  message: form(operation('MessageTold'), ['messages', 'users', 'files']),
  messageReaction: withReactor(operation('MessageReactionTold'), ['messages', 'users', 'files']),
  user: form(operation('UserTold'), ['users', 'files']),
  marker: form(operation('MarkerTold'), ['userFeedMarkers']),
  poll: form(operation('PollTold'), ['polls', 'users', 'files']),
  videoStream: form(operation('VideoStreamTold'), ['videoStreamings', 'videoStreamingChildren', 'users', 'files']),
  room: form(operation('RoomTold'), ['rooms', 'roomChildrens', 'users', 'files']),
  joinRequest: form(operation('JoinRequestTold'), ['joinRequests', 'users', 'files']),
  role: form(operation('RoleTold'), ['roles']),
  category: form(operation('CategoryTold'), ['categories', 'files']),
  file: form(operation('FileTold'), ['files']),
};

/** Where the interface states a form of its own (§6.1, §6.2). */
const BY_NAME: { readonly [Name in EventName]?: EventForm } = {
  'community.userChanged': form(operation('CommunityUserChangedTold'), COMMUNITY_ARRAYS),
  'channel.deleted': form(operation('ChannelDeletedTold'), CHANNEL_ARRAYS),
  'mention-post.created': PUSH,
  'post.need-reviewing': PUSH,
};

/** `v5.message.didDelete`: the one webhook whose `data` differs from that of its event. */
export const MESSAGE_DID_DELETE = form(operation('MessageDidDeleteTold'), [
  'files',
  'messageFeeds',
  'messages',
  'reactors',
  'users',
]);

export function formOf(name: EventName): EventForm {
  return BY_NAME[name] ?? BY_KIND[EVENTS[name].kind];
}

/** What webhooks are told of an event. */
export function deliveryFormOf(name: EventName): EventForm {
  return name === 'message.deleted' ? MESSAGE_DID_DELETE : formOf(name);
}
