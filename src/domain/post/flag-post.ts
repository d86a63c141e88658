import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { markFlaggedPost } from '../community/mark-flagged-post.ts';
import { countFlag } from '../flag/count-flag.ts';
import { type FlagReasonInput, flagReason } from '../flag/flag-reason.ts';
import { recordFlag } from '../flag/record-flag.ts';
import { getPost } from './get-post.ts';

/**
 * Flags a post for its moderators (interface §4.3). One flag per user: a repeat changes the reason and counts once.
 *
 * @throws {OperationError} NOT_FOUND when the post is absent or not to be seen, INVALID_PARAMETERS for a long detail
 */
export async function flagPost(
  context: Context,
  { postId, ...said }: { postId: string } & FlagReasonInput,
): Promise<PostRecord> {
  const { userId } = viewerOf(context);
  const reason = flagReason(said);
  const post = await getPost(context, { postId });
  if (!post) throw notFound('Post');
  const flagged = await context.transaction(async (session) => {
    const outcome = await recordFlag(context, session, {
      referenceType: 'post',
      referenceId: postId,
      userId,
      ...reason,
    });
    return outcome === 'new' ? countPostFlag(context, session, post) : null;
  }, flagsTurn(post));
  forgetFlagged(context, post);
  return flagged ?? post;
}

/** Many people flag one post at once. */
export function flagsTurn({ networkId, postId }: PostRecord): TransactionOptions {
  return { key: `flags ${networkId} ${postId}` };
}

/** Only a post's first flag can change the marks above it. */
async function countPostFlag(context: Context, session: ClientSession, post: PostRecord): Promise<PostRecord | null> {
  const { posts } = context.store.collections;
  const { networkId, userId } = viewerOf(context);
  const flagged = await countFlag({ session, collection: posts, filter: { networkId, postId: post.postId }, userId });
  if (flagged?.flagCount !== 1) return flagged;
  const flagsChangedAt = context.now();
  if (post.parentPostId) {
    const parent = { networkId, postId: post.parentPostId };
    await posts.updateOne(parent, { $set: { hasFlaggedChildren: true, flagsChangedAt } }, { session });
  }
  if (post.targetType === 'community')
    await markFlaggedPost(context, session, { communityId: post.targetId, hasFlaggedPost: true });
  return flagged;
}

/** What this request had read of the records that a flag changes is read anew. */
export function forgetFlagged({ load, viewer }: Context, post: PostRecord): void {
  load.posts.clear(post.postId);
  if (post.parentPostId) load.posts.clear(post.parentPostId);
  if (post.targetType === 'community') load.communities.clear(post.targetId);
  if (viewer) load.myFlags.clear([post.postId, viewer.userId]);
}
