import { type Context, viewerOf } from '../../context.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import type { Act } from '../audit/record-audit.ts';

/** A privileged act on a comment, for the audit log. */
export function actOnComment({ commentId, userId, targetType, targetId }: CommentRecord): Act {
  const communityId = targetType === 'community' ? targetId : null;
  return { subjectType: 'comment', subjectId: commentId, affectedUserId: userId, communityId };
}

export function isOwnComment(context: Context, { userId }: CommentRecord): boolean {
  return userId === viewerOf(context).userId;
}
