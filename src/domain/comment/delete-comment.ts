import type { ClientSession } from 'mongodb';
import { canDeleteComment, canEraseComment } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { type CommentRecord, EMBEDDED_IDS } from '../../store/records/content.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireCommunityRight } from '../community/members/require-community-right.ts';
import { actOnComment, isOwnComment } from './act-on-comment.ts';
import { commentEvent, commentedStoryEvents } from './comment-events.ts';
import { commentsLock, countOnReference, invalidateComment } from './commentable.ts';
import { unmarkAncestorsOfComment } from './flagged-ancestors.ts';
import { getComment, placeOfComment } from './get-comment.ts';

export interface DeleteCommentInput {
  commentId: string;
  /** Whether to erase the content as well, also for moderators. @default false */
  permanent?: boolean | null | undefined;
}

/**
 * Deletes a comment. It stays in its thread with its replies, but only moderators read its content. Erasing an already
 * deleted comment appends no event.
 *
 * @throws {OperationError} NOT_FOUND, also for a deleted comment unless it is to be erased; PERMISSION_DENIED for users
 *   who neither wrote it nor may delete comments there, and for erasing without that permission
 */
export async function deleteComment(
  context: Context,
  { commentId, permanent }: DeleteCommentInput,
): Promise<CommentRecord> {
  const viewer = viewerOf(context);
  const comment = await getComment(context, { commentId });
  if (!comment || (comment.isDeleted && !permanent)) throw notFound('Comment');
  const place = await placeOfComment(context, comment);
  const mayDelete = permanent ? canEraseComment(viewer, place) : canDeleteComment(viewer, comment, place);
  if (!mayDelete) throw new OperationError('PERMISSION_DENIED');
  const isPrivileged = permanent || !isOwnComment(context, comment);
  const deleted = await context.transaction(
    async (session) => {
      if (isPrivileged) {
        await requireCommunityRight(context, session, place, (now, membership) =>
          canEraseComment(now, { ...place, membership }),
        );
      }
      const gone = comment.isDeleted ? comment : await remove(context, session, comment);
      const left = permanent ? await erase(context, session, gone) : gone;
      if (isPrivileged) {
        await recordAudit(context, session, [{ ...actOnComment(comment), details: { permanent: !!permanent } }]);
      }
      if (!comment.isDeleted) {
        const events = [commentEvent('comment.deleted', comment), ...commentedStoryEvents(comment)];
        await appendEvents(context, session, events);
      }
      return left;
    },
    commentsLock(context, comment),
  );
  invalidateComment(context, comment);
  return deleted;
}

/** @throws {OperationError} NOT_FOUND when it was deleted meanwhile */
async function remove(
  context: Context,
  session: ClientSession,
  { networkId, commentId }: CommentRecord,
): Promise<CommentRecord> {
  const { comments } = context.store.collections;
  const deleted = await comments.findOneAndUpdate(
    { networkId, commentId, isDeleted: false },
    { $set: { isDeleted: true, updatedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  if (!deleted) throw notFound('Comment');
  const left = await newestSiblings(context, session, deleted);
  const isTopLevel = deleted.parentId === null;
  const change = { commentId, isTopLevel, by: -1, ...(isTopLevel && { left }) } as const;
  await countOnReference(context, session, { ...referenceOf(deleted), ...change });
  if (deleted.parentId) {
    const parent = { networkId, commentId: deleted.parentId };
    await comments.updateOne(parent, { $inc: { childrenNumber: -1 }, $set: { children: left } }, { session });
  }
  if (deleted.flagCount > 0) await unmarkAncestorsOfComment(context, session, deleted);
  return deleted;
}

function referenceOf({
  referenceType,
  referenceId,
}: CommentRecord): Pick<CommentRecord, 'referenceType' | 'referenceId'> {
  return { referenceType, referenceId };
}

/** Ids of the newest live comments of the same parent, oldest first. */
async function newestSiblings(context: Context, session: ClientSession, comment: CommentRecord): Promise<string[]> {
  const { networkId, referenceType, referenceId, parentId } = comment;
  const newest = await context.store.collections.comments
    .find(
      { networkId, referenceType, referenceId, parentId, isDeleted: false },
      { session, projection: { commentId: 1 } },
    )
    .sort({ segmentNumber: -1 })
    .limit(EMBEDDED_IDS)
    .toArray();
  return newest.map(({ commentId }) => commentId).reverse();
}

async function erase(
  context: Context,
  session: ClientSession,
  { networkId, commentId }: CommentRecord,
): Promise<CommentRecord> {
  const $set = { data: {}, metadata: {}, mentionees: [], attachments: [] };
  const { comments } = context.store.collections;
  const erased = await comments.findOneAndUpdate(
    { networkId, commentId },
    { $set },
    { session, returnDocument: 'after' },
  );
  return erased!;
}
