import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { countFlag } from '../../flag/count-flag.ts';
import { type FlagReasonInput, flagReason } from '../../flag/flag-reason.ts';
import { recordFlag } from '../../flag/record-flag.ts';
import { lockFor } from '../../lock-for.ts';
import { getPost } from '../get-post.ts';
import { postEvent } from '../post-events.ts';
import { markAncestorsOfPost } from './flagged-ancestors.ts';

/**
 * Flags a post for its moderators (interface §4.3). One flag per user: a repeat changes the reason and counts once.
 *
 * @throws {OperationError} NOT_FOUND when the post is absent, deleted or not to be seen, INVALID_PARAMETERS for a long
 *   detail
 */
export async function flagPost(
  context: Context,
  { postId, ...said }: { postId: string } & FlagReasonInput,
): Promise<PostRecord> {
  const { networkId, userId } = viewerOf(context);
  const reason = flagReason(said);
  const post = await getPost(context, { postId });
  if (!post || post.isDeleted) throw notFound('Post');
  const reference = { referenceType: 'post', referenceId: postId, userId } as const;
  const flagged = await context.transaction(
    async (session) => {
      if ((await recordFlag(context, session, { ...reference, ...reason })) === 'changed') return null;
      const collection = context.store.collections.posts;
      const counted = await countFlag({ session, collection, filter: { networkId, postId, isDeleted: false }, userId });
      if (!counted) throw notFound('Post');
      if (counted.flagCount === 1) await markAncestorsOfPost(context, session, post);
      await append(context, session, [postEvent('post.flagged', counted)]);
      return counted;
    },
    lockFor(context, 'post', postId),
  );
  invalidateFlaggedPost(context, post);
  return flagged ?? post;
}

/** What this request had read of the records that a flag changes is read anew. */
export function invalidateFlaggedPost({ load, viewer }: Context, post: PostRecord): void {
  load.posts.clear(post.postId);
  if (post.parentPostId) load.posts.clear(post.parentPostId);
  if (post.targetType === 'community') load.communities.clear(post.targetId);
  if (viewer) load.myFlags.clear([post.postId, viewer.userId]);
}
