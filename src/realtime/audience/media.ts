import { ownsPoll } from '../../access/poll.ts';
import { type Context, createContext, type Viewer } from '../../context.ts';
import { presentPoll } from '../../domain/poll/present-poll.ts';
import { visiblePosts } from '../../domain/post/feeds/visible-posts.ts';
import { canSeeRoom } from '../../domain/room/get-room.ts';
import { presentRoom } from '../../domain/room/present-room.ts';
import { canSeeVideoStream } from '../../domain/video-stream/get-video-stream.ts';
import { presentVideoStream } from '../../domain/video-stream/present-video-stream.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { Scene, Stage } from '../scene.ts';

/** What polls, streams and rooms show follows from posts that may stand anywhere: each viewer is asked about alone. */
function contextOf({ services, load }: Stage, viewer: Viewer): Context {
  return { ...createContext(services, viewer), load };
}

export async function pollScene(stage: Stage, { pollId }: PayloadOf<'poll'>): Promise<Scene | null> {
  const { load } = stage;
  const [poll, posts] = await Promise.all([load.polls.load(pollId), load.postsOfPoll.load(pollId)]);
  if (!poll) return null;
  return {
    place: null,
    async sees(viewer) {
      if (ownsPoll(viewer, poll)) return true;
      return (await visiblePosts(contextOf(stage, viewer), posts ?? [])).length > 0;
    },
    author: null,
    payload: (context) => ({ poll: presentPoll(context, poll) }),
  };
}

export async function videoStreamScene(stage: Stage, { streamId }: PayloadOf<'videoStream'>): Promise<Scene | null> {
  const stream = await stage.load.videoStreams.load(streamId);
  if (!stream) return null;
  return {
    place: null,
    sees: (viewer) => canSeeVideoStream(contextOf(stage, viewer), stream),
    author: null,
    payload: (context) => ({ videoStream: presentVideoStream(context, stream) }),
  };
}

export async function roomScene(stage: Stage, { roomId }: PayloadOf<'room'>): Promise<Scene | null> {
  const room = await stage.load.rooms.load(roomId);
  if (!room) return null;
  return {
    place: null,
    sees: (viewer) => canSeeRoom(contextOf(stage, viewer), room),
    author: null,
    payload: (context) => ({ room: presentRoom(context, room) }),
  };
}
