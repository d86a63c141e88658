import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { countPostInCommunity, type FeedMove } from '../community/feeds/feed-counts.ts';
import { lockFor } from '../lock-for.ts';
import { countPostOfUser } from '../user/feed-counts.ts';

type Target = Pick<PostRecord, 'targetType' | 'targetId'>;

/**
 * Counts a parent post where it stands.
 * @throws {OperationError} NOT_FOUND when a post comes and the community or user is gone
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

/** Every post that comes or goes is counted by its community or user. */
export function postsLock(context: Context, { targetType, targetId }: Target): TransactionOptions {
  return lockFor(context, targetType, targetId);
}

/** What this request had read of a post and of where it stands is read anew. */
export function invalidatePost(
  { load }: Context,
  post: Target & { postId: string; parentPostId?: string | null },
): void {
  load.posts.clear(post.postId);
  if (post.parentPostId) load.posts.clear(post.parentPostId);
  if (post.targetType === 'community') load.communities.clear(post.targetId);
  else load.users.clear(post.targetId);
}
