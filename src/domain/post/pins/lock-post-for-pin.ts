import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';

/**
 * Writes the post, so that a concurrent deletion conflicts and no pin outlives its post.
 * @throws {OperationError} BAD_REQUEST when the post was deleted meanwhile
 */
export async function lockPostForPin(
  context: Context,
  session: ClientSession,
  { postId, pinnedAt }: { postId: string; pinnedAt: Date },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const { matchedCount } = await context.store.collections.posts.updateOne(
    { networkId, postId, isDeleted: false, feedType: 'published' },
    { $set: { pinnedAt } },
    { session },
  );
  if (matchedCount === 0) throw new OperationError('BAD_REQUEST', { message: 'A deleted post cannot be pinned.' });
}
