import { canModeratePosts } from '../../../access/post.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { clearFlags } from '../../flag/clear-flags.ts';
import { lockFor } from '../../lock-for.ts';
import { getPost, placeOfPost } from '../get-post.ts';
import { postEvent } from '../post-events.ts';
import { invalidateFlaggedPost } from './flag-post.ts';
import { unmarkAncestorsOfPost } from './flagged-ancestors.ts';

/**
 * Takes all flags on a post back: its moderators found nothing wrong with it. Who flagged it may do so again.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED for whoever does not moderate posts there
 */
export async function clearPostFlags(context: Context, { postId }: { postId: string }): Promise<PostRecord> {
  const viewer = viewerOf(context);
  const post = await getPost(context, { postId });
  if (!post) throw notFound('Post');
  if (!canModeratePosts(viewer, await placeOfPost(context, post))) throw new OperationError('PERMISSION_DENIED');
  const cleared = await context.transaction(
    async (session) => {
      const filter = { networkId: viewer.networkId, postId };
      const collection = context.store.collections.posts;
      const reference = { referenceType: 'post', referenceId: postId } as const;
      const left = await clearFlags(context, { session, collection, filter, reference });
      if (!left) return null;
      await unmarkAncestorsOfPost(context, session, post);
      await append(context, session, [postEvent('post.flagsCleared', left)]);
      return left;
    },
    lockFor(context, 'post', postId),
  );
  invalidateFlaggedPost(context, post);
  return cleared ?? post;
}
