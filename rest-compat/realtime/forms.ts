import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import type { KindName } from '../../src/events/kinds.ts';
import {
  CategoryToldDocument,
  ChannelDeletedToldDocument,
  ChannelToldDocument,
  ChannelUsersToldDocument,
  CommentReactionToldDocument,
  CommentToldDocument,
  CommunityToldDocument,
  CommunityUserChangedToldDocument,
  CommunityUsersToldDocument,
  FileToldDocument,
  JoinRequestToldDocument,
  MarkerToldDocument,
  MessageDidDeleteToldDocument,
  MessageFeedToldDocument,
  MessageReactionToldDocument,
  MessageToldDocument,
  PollToldDocument,
  PostReactionToldDocument,
  PostToldDocument,
  PushPostToldDocument,
  RoleToldDocument,
  RoomToldDocument,
  StoryReactionToldDocument,
  StoryToldDocument,
  UserToldDocument,
  VideoStreamToldDocument,
} from '../generated/documents.ts';
import { POST_ARRAYS } from '../v3/posts/get-post.ts';

/** The `data` of an event: a document whose answer is flattened, and the arrays it has (interface §6). */
export interface EventForm {
  document: { toString(): string };
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
  document: PushPostToldDocument,
  arrays: ['posts', 'users', 'files', 'communities'],
  isPush: true,
};

const BY_KIND: { readonly [Kind in KindName]: EventForm } = {
  post: form(PostToldDocument, POST_ARRAYS),
  postReaction: withReactor(PostReactionToldDocument, POST_REACTION_ARRAYS),
  comment: form(CommentToldDocument, COMMENT_ARRAYS),
  commentReaction: withReactor(CommentReactionToldDocument, COMMENT_ARRAYS),
  story: form(StoryToldDocument, STORY_ARRAYS),
  storyReaction: withReactor(StoryReactionToldDocument, STORY_ARRAYS),
  community: form(CommunityToldDocument, COMMUNITY_ARRAYS),
  communityUsers: form(CommunityUsersToldDocument, COMMUNITY_ARRAYS),
  channel: form(ChannelToldDocument, [...CHANNEL_ARRAYS, ...PREVIEWS]),
  channelUsers: form(ChannelUsersToldDocument, [...CHANNEL_ARRAYS, ...PREVIEWS]),
  messageFeed: form(MessageFeedToldDocument, ['messageFeeds', 'messages', ...PREVIEWS, 'users', 'files']),
  message: form(MessageToldDocument, ['messages', 'users', 'files']),
  messageReaction: withReactor(MessageReactionToldDocument, ['messages', 'users', 'files']),
  user: form(UserToldDocument, ['users', 'files']),
  marker: form(MarkerToldDocument, ['userFeedMarkers']),
  poll: form(PollToldDocument, ['polls', 'users', 'files']),
  videoStream: form(VideoStreamToldDocument, ['videoStreamings', 'videoStreamingChildren', 'users', 'files']),
  room: form(RoomToldDocument, ['rooms', 'roomChildrens', 'users', 'files']),
  joinRequest: form(JoinRequestToldDocument, ['joinRequests', 'users', 'files']),
  role: form(RoleToldDocument, ['roles']),
  category: form(CategoryToldDocument, ['categories', 'files']),
  file: form(FileToldDocument, ['files']),
};

/** Where the interface states a form of its own (§6.1, §6.2). */
const BY_NAME: { readonly [Name in EventName]?: EventForm } = {
  'community.userChanged': form(CommunityUserChangedToldDocument, COMMUNITY_ARRAYS),
  'channel.deleted': form(ChannelDeletedToldDocument, CHANNEL_ARRAYS),
  'mention-post.created': PUSH,
  'post.need-reviewing': PUSH,
};

/** `v5.message.didDelete`: the one webhook whose `data` differs from that of its event. */
export const MESSAGE_DID_DELETE = form(MessageDidDeleteToldDocument, [
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
