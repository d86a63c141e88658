import { canModerateComments } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { append } from '../../events/append.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { clearFlags } from '../flag/clear-flags.ts';
import { countFlag, uncountFlag } from '../flag/count-flag.ts';
import { type FlagReasonInput, flagReason } from '../flag/flag-reason.ts';
import { flaggersOf, recordFlag, removeFlag } from '../flag/record-flag.ts';
import { lockFor } from '../lock-for.ts';
import { commentEvent } from './comment-events.ts';
import { invalidateComment } from './commentable.ts';
import { markAncestorsOfComment, unmarkAncestorsOfComment } from './flagged-ancestors.ts';
import { getComment, placeOfComment } from './get-comment.ts';

interface Named {
  commentId: string;
}

/**
 * Flags a comment for its moderators. One flag per user: a repeat changes the reason and counts once.
 * @throws {OperationError} NOT_FOUND, also for a deleted comment; INVALID_PARAMETERS for a long detail
 */
export async function flagComment(
  context: Context,
  { commentId, ...said }: Named & FlagReasonInput,
): Promise<CommentRecord> {
  const { networkId, userId } = viewerOf(context);
  const reason = flagReason(said);
  const comment = await flaggable(context, { commentId });
  const reference = { referenceType: 'comment', referenceId: commentId, userId } as const;
  const flagged = await context.transaction(
    async (session) => {
      if ((await recordFlag(context, session, { ...reference, ...reason })) === 'changed') return null;
      const collection = context.store.collections.comments;
      const counted = await countFlag({
        session,
        collection,
        filter: { networkId, commentId, isDeleted: false },
        userId,
      });
      if (!counted) throw notFound('Comment');
      if (counted.flagCount === 1) await markAncestorsOfComment(context, session, comment);
      await append(context, session, [commentEvent('comment.flagged', counted)]);
      return counted;
    },
    lockFor(context, 'comment', commentId),
  );
  invalidateComment(context, comment);
  return flagged ?? comment;
}

/**
 * Takes the viewer's flag on a comment back; without one nothing happens.
 * @throws {OperationError} NOT_FOUND
 */
export async function unflagComment(context: Context, { commentId }: Named): Promise<CommentRecord> {
  const { networkId, userId } = viewerOf(context);
  const comment = await flaggable(context, { commentId });
  const reference = { referenceType: 'comment', referenceId: commentId } as const;
  const unflagged = await context.transaction(
    async (session) => {
      if (!(await removeFlag(context, session, { ...reference, userId }))) return null;
      const flaggers = await flaggersOf(context, session, reference);
      const collection = context.store.collections.comments;
      const left = await uncountFlag({ session, collection, filter: { networkId, commentId }, flaggers });
      if (left?.flagCount === 0) await unmarkAncestorsOfComment(context, session, comment);
      await append(context, session, [commentEvent('comment.unflagged', comment)]);
      return left;
    },
    lockFor(context, 'comment', commentId),
  );
  invalidateComment(context, comment);
  return unflagged ?? comment;
}

/**
 * Takes all flags on a comment back: its moderators found nothing wrong with it.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED for whoever does not moderate comments there
 */
export async function clearCommentFlags(context: Context, { commentId }: Named): Promise<CommentRecord> {
  const viewer = viewerOf(context);
  const comment = await flaggable(context, { commentId });
  if (!canModerateComments(viewer, await placeOfComment(context, comment)))
    throw new OperationError('PERMISSION_DENIED');
  const cleared = await context.transaction(
    async (session) => {
      const filter = { networkId: viewer.networkId, commentId };
      const collection = context.store.collections.comments;
      const reference = { referenceType: 'comment', referenceId: commentId } as const;
      const left = await clearFlags(context, { session, collection, filter, reference });
      if (!left) return null;
      await unmarkAncestorsOfComment(context, session, comment);
      await append(context, session, [commentEvent('comment.flagsCleared', left)]);
      return left;
    },
    lockFor(context, 'comment', commentId),
  );
  invalidateComment(context, comment);
  return cleared ?? comment;
}

/** Whether the viewer flagged a comment; one that nobody flagged needs no look-up. */
export async function isCommentFlaggedByViewer(
  context: Context,
  { commentId, flagCount }: Pick<CommentRecord, 'commentId' | 'flagCount'>,
): Promise<boolean> {
  if (flagCount === 0) return false;
  const flags = await context.load.myFlags.load([commentId, viewerOf(context).userId]);
  return (flags ?? []).some((flag) => flag.referenceType === 'comment');
}

/**
 * As {@link isCommentFlaggedByViewer}, by id.
 * @throws {OperationError} NOT_FOUND
 */
export async function isCommentFlagged(context: Context, { commentId }: Named): Promise<boolean> {
  return isCommentFlaggedByViewer(context, await flaggable(context, { commentId }));
}

async function flaggable(context: Context, { commentId }: Named): Promise<CommentRecord> {
  const comment = await getComment(context, { commentId });
  if (!comment || comment.isDeleted) throw notFound('Comment');
  return comment;
}
