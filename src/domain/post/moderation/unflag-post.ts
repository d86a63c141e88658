import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { uncountFlag } from '../../flag/count-flag.ts';
import { flaggersOf, removeFlag } from '../../flag/record-flag.ts';
import { lockFor } from '../../lock-for.ts';
import { getPost } from '../get-post.ts';
import { postEvent } from '../post-events.ts';
import { invalidateFlaggedPost } from './flag-post.ts';
import { unmarkAncestorsOfPost } from './flagged-ancestors.ts';

/**
 * Takes the viewer's flag on a post back; without one nothing happens.
 * @throws {OperationError} NOT_FOUND when the post is absent or not to be seen
 */
export async function unflagPost(context: Context, { postId }: { postId: string }): Promise<PostRecord> {
  const { networkId, userId } = viewerOf(context);
  const post = await getPost(context, { postId });
  if (!post) throw notFound('Post');
  const reference = { referenceType: 'post', referenceId: postId } as const;
  const unflagged = await context.transaction(
    async (session) => {
      if (!(await removeFlag(context, session, { ...reference, userId }))) return null;
      const flaggers = await flaggersOf(context, session, reference);
      const { posts } = context.store.collections;
      const left = await uncountFlag({ session, collection: posts, filter: { networkId, postId }, flaggers });
      if (left?.flagCount === 0) await unmarkAncestorsOfPost(context, session, post);
      await append(context, session, [postEvent('post.unflagged', post)]);
      return left;
    },
    lockFor(context, 'post', postId),
  );
  invalidateFlaggedPost(context, post);
  return unflagged ?? post;
}
