import { definitionOf } from '../../events/catalogue.ts';
import { EVENT_PAYLOADS, type EventKind, type PayloadOf } from '../../events/event-payloads.ts';
import * as chat from './chat-views.ts';
import type { EventView, LoadView, ViewContext } from './event-view.ts';
import * as media from './media-views.ts';
import * as people from './people-views.ts';
import * as social from './social-views.ts';

/** The view loader of each kind of event. */
const VIEWS: { readonly [Kind in EventKind]: LoadView<PayloadOf<Kind>> } = {
  post: social.loadPostView,
  postReaction: social.loadPostReactionView,
  comment: social.loadCommentView,
  commentReaction: social.loadCommentReactionView,
  story: social.loadStoryView,
  storyReaction: social.loadStoryReactionView,
  community: social.loadCommunityView,
  communityUsers: social.loadCommunityUsersView,
  channel: chat.loadChannelView,
  channelUsers: chat.loadChannelUsersView,
  messageFeed: chat.loadMessageFeedView,
  message: chat.loadMessageView,
  messageReaction: chat.loadMessageReactionView,
  user: people.loadUserView,
  follow: people.loadFollowView,
  marker: chat.loadMarkerView,
  feedMarker: chat.loadFeedMarkerView,
  poll: media.loadPollView,
  videoStream: media.loadVideoStreamView,
  room: media.loadRoomView,
  roomParticipant: media.loadRoomParticipantView,
  liveReaction: social.loadLiveReactionView,
  joinRequest: people.loadJoinRequestView,
  role: people.loadRoleView,
  category: people.loadCategoryView,
  file: people.loadFileView,
};

/** @returns null when the records no longer exist, and for events written by a later release */
export async function loadEventView(context: Omit<ViewContext, 'isRemoval'>): Promise<EventView | null> {
  const definition = definitionOf(context.event.type);
  if (!definition) return null;
  const data = EVENT_PAYLOADS[definition.kind].parse(context.event.data);
  const view = VIEWS[definition.kind] as LoadView<unknown>;
  return view({ ...context, isRemoval: definition.isRemoval }, data);
}
