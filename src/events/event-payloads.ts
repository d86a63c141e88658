import { z } from 'zod';

const id = z.string().min(1);

/** Copied into the event, because a removed reaction can no longer be read. */
const reaction = z.object({
  reactionId: id,
  reactionName: z.string(),
  userId: id,
  userInternalId: id,
  createdAt: z.date(),
});
export type ReactionSnapshot = z.infer<typeof reaction>;

/** Not stored elsewhere: live reactions are only delivered. */
const liveReaction = z.object({ reactionId: id, reactionName: z.string(), occurredAt: z.date() });
export type LiveReaction = z.infer<typeof liveReaction>;

const members = { userIds: z.array(id) };

/**
 * The stored payload of each kind of event. The log keeps ids; the records behind them are read at delivery time with
 * the rights of the recipient. Each kind has a GraphQL type (`schema/event`), a REST document (`rest-compat/realtime`)
 * and a visibility rule (`src/realtime/visibility`).
 */
export const EVENT_PAYLOADS = {
  post: z.object({ postId: id }),
  postReaction: z.object({ postId: id, reaction }),
  comment: z.object({ commentId: id }),
  commentReaction: z.object({ commentId: id, reaction }),
  story: z.object({ storyId: id }),
  storyReaction: z.object({ storyId: id, reaction }),
  community: z.object({ communityId: id }),
  communityUsers: z.object({ communityId: id, ...members }),
  channel: z.object({ channelId: id }),
  channelUsers: z.object({ channelId: id, ...members }),
  messageFeed: z.object({ messageFeedId: id, channelId: id }),
  message: z.object({ messageId: id }),
  messageReaction: z.object({ messageId: id, reaction }),
  user: z.object({ userId: id }),
  /** The status after the event is copied, because an ended follow can no longer be read. */
  follow: z.object({
    userId: id,
    followedUserId: id,
    status: z.enum(['none', 'pending', 'accepted']),
    followedAt: z.date(),
  }),
  marker: z.object({ userId: id, feedIds: z.array(id) }),
  feedMarker: z.object({ messageFeedId: id, segment: z.int().min(1) }),
  poll: z.object({ pollId: id }),
  videoStream: z.object({ streamId: id }),
  room: z.object({ roomId: id }),
  roomParticipant: z.object({ roomId: id, userId: id }),
  liveReaction: z.object({ postId: id, userId: id, userInternalId: id, reactions: z.array(liveReaction) }),
  joinRequest: z.object({ joinRequestId: id }),
  role: z.object({ roleId: id }),
  category: z.object({ categoryId: id }),
  file: z.object({ fileId: id }),
} as const;

export type EventKind = keyof typeof EVENT_PAYLOADS;
export type PayloadOf<Kind extends EventKind> = z.infer<(typeof EVENT_PAYLOADS)[Kind]>;
