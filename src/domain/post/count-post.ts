import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { countPostInCommunity } from '../community/feeds/count-post-in-community.ts';
import type { FeedMove } from '../feeds.ts';
import { lockFor } from '../lock-for.ts';
import { countPostOfUser } from '../user/count-post-of-user.ts';

type Target = Pick<PostRecord, 'targetType' | 'targetId'>;

/**
 * Updates the post counts of the community or user that a parent post is published on.
 * @throws {OperationError} NOT_FOUND when a post is added and the community or user no longer exists
 */
export async function countPost(
  context: Context,
  session: ClientSession,
  { targetType, targetId, ...move }: Target & FeedMove,
): Promise<void> {
  const isCounted =
    targetType === 'community'
      ? await countPostInCommunity(context, session, { communityId: targetId, ...move })
      : await countPostOfUser(context, session, { userId: targetId, ...move });
  if (!isCounted && move.to) throw notFound(targetType === 'community' ? 'Community' : 'User');
}

/** The lock for adding and removing posts, which all update the same counts. */
export function postsLock(context: Context, { targetType, targetId }: Target): TransactionOptions {
  return lockFor(context, targetType, targetId);
}

/** Clears a post, its parent and its target from the loaders of the request. */
export function invalidatePost(
  { load }: Context,
  post: Target & { postId: string; parentPostId?: string | null },
): void {
  load.posts.clear(post.postId);
  if (post.parentPostId) load.posts.clear(post.parentPostId);
  if (post.targetType === 'community') load.communities.clear(post.targetId);
  else load.users.clear(post.targetId);
}
