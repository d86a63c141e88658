import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';

/**
 * Ties one of the viewer's streams to the post that shows it, within the transaction that writes the post.
 * @throws {OperationError} NOT_FOUND when it is absent, deleted, another's, or shown by a post already
 */
export async function attachVideoStream(
  context: Context,
  session: ClientSession,
  { streamId, postId }: { streamId: string; postId: string },
): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { matchedCount } = await context.store.collections.videoStreams.updateOne(
    { networkId, streamId, userId, isDeleted: false, postId: null },
    { $set: { postId, updatedAt: context.now() } },
    { session },
  );
  if (matchedCount === 0) throw notFound('Video stream');
  context.load.videoStreams.clear(streamId);
}
