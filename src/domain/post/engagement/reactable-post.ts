import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { countReaction } from '../../engagement/count-reaction.ts';
import type { Reactable } from '../../engagement/reactable.ts';
import { getPost } from '../get-post.ts';

/** @throws {OperationError} NOT_FOUND, BAD_REQUEST for a post that is not published */
export async function reactablePost(context: Context, postId: string): Promise<Reactable<PostRecord>> {
  const post = await getPost(context, { postId });
  if (!post || post.isDeleted) throw notFound('Post');
  if (post.feedType !== 'published')
    throw new OperationError('BAD_REQUEST', { message: 'This post is not published.' });
  const filter = { networkId: post.networkId, postId, isDeleted: false };
  return {
    place: post,
    path: post.path,
    count: (session, change) =>
      countReaction({
        ...change,
        session,
        collection: context.store.collections.posts,
        filter,
        total: 'reactionsCount',
      }),
    present(changed) {
      context.load.posts.clear(postId);
      return changed ?? post;
    },
  };
}
