import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { NewEvent } from '../../events/append-events.ts';
import { attachLiveChannel } from '../channel/live-channel.ts';
import { videoStreamEvent } from './video-stream-events.ts';

/**
 * Links one of the viewer's streams, and its chat channel, to the post that contains it, in the transaction that writes
 * the post.
 * @returns events to append in this transaction
 * @throws {OperationError} NOT_FOUND if the stream does not exist, is deleted, belongs to another user, or is already in
 *   a post
 */
export async function attachVideoStream(
  context: Context,
  session: ClientSession,
  { streamId, postId }: { streamId: string; postId: string },
): Promise<NewEvent[]> {
  const { networkId, userId } = viewerOf(context);
  const stream = await context.store.collections.videoStreams.findOneAndUpdate(
    { networkId, streamId, userId, isDeleted: false, postId: null },
    { $set: { postId, updatedAt: context.now() } },
    { session },
  );
  if (!stream) throw notFound('Video stream');
  const chat = await attachLiveChannel(context, session, { channelId: stream.channelId, postId });
  context.load.videoStreams.clear(streamId);
  return [videoStreamEvent('video-streaming.updated', stream), ...chat];
}
