import { canModerateComments } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { FLAGGED, type QueueSelection, type QueueSource, queueFilters, queueSource } from '../flag/queue-source.ts';
import { canSeeReference, placeOfComment } from './get-comment.ts';

/** Flagged comments of the moderation queue. */
export function flaggedComments(context: Context, selection: QueueSelection): QueueSource {
  const { networkId } = viewerOf(context);
  return queueSource<CommentRecord>({
    kind: 'comment',
    collection: context.store.collections.comments,
    filters: queueFilters<CommentRecord>(selection, { networkId, authorField: 'userId', state: FLAGGED }),
    moderated: (comments) => moderatedComments(context, comments),
  });
}

/** A comment, if the viewer moderates it. */
export async function moderatedComment(context: Context, commentId: string): Promise<CommentRecord | null> {
  const comment = await context.load.comments.load(commentId);
  return comment && ((await moderatedComments(context, [comment]))[0] ?? null);
}

async function moderatedComments(context: Context, comments: CommentRecord[]): Promise<CommentRecord[]> {
  const viewer = viewerOf(context);
  const isModerated = await Promise.all(
    comments.map(async (comment) => {
      const [isSeen, place] = await Promise.all([
        canSeeReference(context, comment.referenceType, comment.referenceId),
        placeOfComment(context, comment),
      ]);
      return isSeen && canModerateComments(viewer, place);
    }),
  );
  return comments.filter((_, index) => isModerated[index]);
}
