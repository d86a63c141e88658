import type { Context } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import type { PollRecord, RoomRecord, VideoStreamRecord } from '../../../store/records/media.ts';
import { presentPoll } from '../../poll/present-poll.ts';
import { presentRoom } from '../../room/present-room.ts';
import { presentVideoStream } from '../../video-stream/present-video-stream.ts';

/** The poll in the content of a post, visible to everybody who sees the post. */
export async function pollOfPost(context: Context, { data }: PostRecord): Promise<PollRecord | null> {
  const poll = data.pollId ? await context.load.polls.load(data.pollId) : null;
  return poll && presentPoll(context, poll);
}

export async function videoStreamOfPost(context: Context, { data }: PostRecord): Promise<VideoStreamRecord | null> {
  const stream = data.streamId ? await context.load.videoStreams.load(data.streamId) : null;
  return stream && presentVideoStream(context, stream);
}

export async function roomOfPost(context: Context, { data }: PostRecord): Promise<RoomRecord | null> {
  const room = data.roomId ? await context.load.rooms.load(data.roomId) : null;
  return room && presentRoom(context, room);
}
