import { ownsPoll } from '../../access/poll.ts';
import { type Context, createContext, type Viewer } from '../../context.ts';
import { presentPoll } from '../../domain/poll/present-poll.ts';
import { visiblePosts, withoutBlockedAuthors } from '../../domain/post/feeds/visible-posts.ts';
import { canSeeRoom } from '../../domain/room/get-room.ts';
import { presentRoom } from '../../domain/room/present-room.ts';
import { canSeeVideoStream } from '../../domain/video-stream/get-video-stream.ts';
import { presentVideoStream } from '../../domain/video-stream/present-video-stream.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { EventView, ViewContext } from './event-view.ts';

/** Access to polls, streams and rooms follows from the posts that show them, so it is checked per viewer. */
function contextOf({ services, load }: ViewContext, viewer: Viewer): Context {
  return { ...createContext(services, viewer), load };
}

export async function loadPollView(context: ViewContext, { pollId }: PayloadOf<'poll'>): Promise<EventView | null> {
  const { load } = context;
  const [poll, posts] = await Promise.all([load.polls.load(pollId), load.postsOfPoll.load(pollId)]);
  if (!poll) return null;
  return {
    scope: null,
    async isVisible(viewer) {
      if (ownsPoll(viewer, poll)) return true;
      const own = contextOf(context, viewer);
      return (await withoutBlockedAuthors(own, await visiblePosts(own, posts ?? []))).length > 0;
    },
    authorId: null,
    payload: (context) => ({ poll: presentPoll(context, poll) }),
  };
}

export async function loadVideoStreamView(
  context: ViewContext,
  { streamId }: PayloadOf<'videoStream'>,
): Promise<EventView | null> {
  const stream = await context.load.videoStreams.load(streamId);
  if (!stream) return null;
  return {
    scope: null,
    isVisible: (viewer) => canSeeVideoStream(contextOf(context, viewer), stream),
    authorId: null,
    payload: (context) => ({ videoStream: presentVideoStream(context, stream) }),
  };
}

export async function loadRoomView(context: ViewContext, { roomId }: PayloadOf<'room'>): Promise<EventView | null> {
  const room = await context.load.rooms.load(roomId);
  if (!room) return null;
  return {
    scope: null,
    isVisible: (viewer) => canSeeRoom(contextOf(context, viewer), room),
    authorId: null,
    payload: (context) => ({ room: presentRoom(context, room) }),
  };
}

export async function loadRoomParticipantView(
  context: ViewContext,
  { roomId, userId }: PayloadOf<'roomParticipant'>,
): Promise<EventView | null> {
  const [view, participant] = await Promise.all([loadRoomView(context, { roomId }), context.load.users.load(userId)]);
  if (!view || !participant) return null;
  return { ...view, payload: async (context) => ({ ...(await view.payload(context)), participant }) };
}
