import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';

/** Notes which post shows a stream, in the transaction that publishes the post. */
export async function linkVideoStream(
  context: Context,
  session: ClientSession,
  { streamId, postId }: { streamId: string; postId: string },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const { matchedCount } = await context.store.collections.videoStreams.updateOne(
    { networkId, streamId, isDeleted: false },
    { $set: { postId, updatedAt: context.now() } },
    { session },
  );
  if (matchedCount === 0) throw notFound('Stream');
  context.load.videoStreams.clear(streamId);
}
