import { canEditComment, canModerateComments } from '../../access/comment.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { together } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireCommunityRight } from '../community/members/require-community-right.ts';
import { requireStillVisible } from '../community/members/require-still-visible.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { omitUndefined, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { requireStillOnFeed } from '../user/follows/require-still-on-feed.ts';
import { mentionedUsers, requireStillMentionable } from '../user/lookup/mentioned-users.ts';
import { actOnComment, isOwnComment } from './act-on-comment.ts';
import { commentEvent } from './comment-events.ts';
import { imagesOf, kindsOf, type UpdateCommentInput, updateCommentInput } from './comment-input.ts';
import { getComment, placeOfComment } from './get-comment.ts';

/**
 * Updates a comment. Absent fields are left unchanged, null clears.
 * @throws {OperationError} NOT_FOUND, also for a deleted comment; PERMISSION_DENIED for users who neither wrote it nor
 *   moderate comments there; FORBIDDEN on the feed of a user if one of the two blocks the other; INVALID_PARAMETERS for
 *   an update that leaves no content; CONFLICT when it changed meanwhile
 */
export async function updateComment(context: Context, input: UpdateCommentInput): Promise<CommentRecord> {
  const viewer = viewerOf(context);
  const { commentId, ...changes } = validate(updateCommentInput, input);
  const comment = await getComment(context, { commentId });
  if (!comment || comment.isDeleted) throw notFound('Comment');
  const place = await placeOfComment(context, comment);
  if (!canEditComment(viewer, comment, place)) throw new OperationError('PERMISSION_DENIED');
  if (Object.keys(omitUndefined(changes)).length === 0) return comment;
  const [mentionees, pictures] = await Promise.all([
    changes.mentionees === undefined ? null : mentionedUsers(context, changes.mentionees ?? []),
    changes.attachments === undefined ? null : imagesOf(context, changes.attachments ?? [], comment.attachments),
    requireAllowedText(context, [changes.data?.text]),
  ]);
  const attachments = pictures ?? comment.attachments;
  const data = dataAfter(comment.data, changes.data);
  const now = context.now();
  const $set: Partial<CommentRecord> = {
    data,
    attachments,
    ...kindsOf({ data, attachments }),
    ...(mentionees && { mentionees }),
    ...(changes.metadata !== undefined && { metadata: changes.metadata ?? {} }),
    updatedAt: now,
    editedAt: now,
  };
  const { networkId } = viewer;
  // The filter on what was read rejects the later of two concurrent updates.
  const asRead = { networkId, commentId, isDeleted: false, updatedAt: comment.updatedAt };
  const updated = await context.transaction(
    async (session) => {
      if (!isOwnComment(context, comment)) {
        await requireCommunityRight(context, session, place, (now, membership) =>
          canModerateComments(now, { ...place, membership }),
        );
      }
      const { comments } = context.store.collections;
      const written = await comments.findOneAndUpdate(asRead, { $set }, { session, returnDocument: 'after' });
      if (!written) return null;
      const { targetType, targetId } = written;
      const isOwn = isOwnComment(context, written);
      await together(session, [
        isOwn && (() => requireStillOnFeed(context, session, written)),
        isOwn && targetType === 'community' && (() => requireStillVisible(context, session, { communityId: targetId })),
        () => requireStillMentionable(context, session, mentionees ?? []),
        () => recordAudit(context, session, isOwn ? [] : [actOnComment(written)]),
        () => appendEvents(context, session, [commentEvent('comment.updated', written)]),
      ]);
      return written;
    },
    lockFor(context, 'comment', commentId),
  );
  context.load.comments.clear(commentId);
  if (!updated) throw new OperationError('CONFLICT');
  return updated;
}

function dataAfter(data: CommentRecord['data'], given: { text?: string | null | undefined } | null | undefined) {
  if (given === undefined || (given && given.text === undefined)) return data;
  const { text: _, ...rest } = data;
  return given?.text ? { ...rest, text: given.text } : rest;
}
