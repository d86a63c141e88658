import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { countReaction } from '../engagement/count-reaction.ts';
import type { Reactable } from '../engagement/reactable.ts';
import { getComment } from './get-comment.ts';

/** @throws {OperationError} NOT_FOUND */
export async function reactableComment(context: Context, commentId: string): Promise<Reactable<CommentRecord>> {
  const comment = await getComment(context, { commentId });
  if (!comment || comment.isDeleted) throw notFound('Comment');
  const filter = { networkId: comment.networkId, commentId, isDeleted: false };
  return {
    place: comment,
    path: comment.path,
    count: (session, change) =>
      countReaction({
        ...change,
        session,
        collection: context.store.collections.comments,
        filter,
        total: 'reactionsCount',
      }),
    present(changed) {
      context.load.comments.clear(commentId);
      return changed ?? comment;
    },
  };
}
