import { canModerateComments } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { requireCommunityRight } from '../community/members/require-community-right.ts';
import { clearFlags } from '../flag/clear-flags.ts';
import type { FlagReasonInput } from '../flag/flag-reason.ts';
import { flagRecord, isFlaggedByViewer, unflagRecord } from '../flag/flag-record.ts';
import type { FlagTarget } from '../flag/flag-target.ts';
import { lockFor } from '../lock-for.ts';
import { requireTargetStillVisible } from '../require-target-still-visible.ts';
import { commentEvent } from './comment-events.ts';
import { invalidateComment } from './commentable.ts';
import { markAncestorsOfComment, unmarkAncestorsOfComment } from './flagged-ancestors.ts';
import { getComment, placeOfComment } from './get-comment.ts';

interface CommentId {
  commentId: string;
}

/**
 * Flags a comment for its moderators, as {@link flagRecord}.
 * @throws {OperationError} NOT_FOUND, also for a deleted comment; INVALID_PARAMETERS
 */
export async function flagComment(
  context: Context,
  { commentId, ...reason }: CommentId & FlagReasonInput,
): Promise<CommentRecord> {
  return flagRecord(context, flagTarget(context, await liveComment(context, commentId)), reason);
}

/** Withdraws the viewer's flag. @throws {OperationError} NOT_FOUND */
export async function unflagComment(context: Context, { commentId }: CommentId): Promise<CommentRecord> {
  return unflagRecord(context, flagTarget(context, await liveComment(context, commentId)));
}

/**
 * Removes all flags of a comment.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED unless the viewer moderates comments there
 */
export async function clearCommentFlags(context: Context, { commentId }: CommentId): Promise<CommentRecord> {
  const comment = await liveComment(context, commentId);
  const place = await placeOfComment(context, comment);
  if (!canModerateComments(viewerOf(context), place)) throw new OperationError('PERMISSION_DENIED');
  return clearFlags(context, flagTarget(context, comment), (session) =>
    requireCommunityRight(context, session, place, (viewer, membership) =>
      canModerateComments(viewer, { ...place, membership }),
    ),
  );
}

/** Whether the viewer flagged a comment. @throws {OperationError} NOT_FOUND */
export async function isCommentFlagged(context: Context, { commentId }: CommentId): Promise<boolean> {
  return isCommentFlaggedByViewer(context, await liveComment(context, commentId));
}

export function isCommentFlaggedByViewer(
  context: Context,
  { commentId, flagCount }: Pick<CommentRecord, 'commentId' | 'flagCount'>,
): Promise<boolean> {
  return isFlaggedByViewer(context, { referenceType: 'comment', referenceId: commentId, flagCount });
}

async function liveComment(context: Context, commentId: string): Promise<CommentRecord> {
  const comment = await getComment(context, { commentId });
  if (!comment || comment.isDeleted) throw notFound('Comment');
  return comment;
}

const EVENTS = { flagged: 'comment.flagged', unflagged: 'comment.unflagged', cleared: 'comment.flagsCleared' } as const;

function flagTarget(context: Context, comment: CommentRecord): FlagTarget<CommentRecord> {
  const { networkId, commentId } = comment;
  return {
    referenceType: 'comment',
    referenceId: commentId,
    record: comment,
    collection: context.store.collections.comments,
    filter: { networkId, commentId },
    authorId: comment.userId,
    communityId: comment.targetType === 'community' ? comment.targetId : null,
    channelId: null,
    requireStillVisible: (session) => requireTargetStillVisible(context, session, comment),
    label: 'Comment',
    lock: lockFor(context, 'comment', commentId),
    event: (change, record) => commentEvent(EVENTS[change], record),
    markAncestors: (session, isFlagged) =>
      isFlagged
        ? markAncestorsOfComment(context, session, comment)
        : unmarkAncestorsOfComment(context, session, comment),
    invalidate: () => invalidateComment(context, comment),
  };
}
