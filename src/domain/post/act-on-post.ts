import { type Context, viewerOf } from '../../context.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { Act } from '../audit/record-audit.ts';

/** A privileged act on a post, for the audit log. */
export function actOnPost({ postId, postedUserId, targetType, targetId }: PostRecord): Act {
  const communityId = targetType === 'community' ? targetId : null;
  return { subjectType: 'post', subjectId: postId, affectedUserId: postedUserId, communityId };
}

export function isOwnPost(context: Context, { postedUserId }: PostRecord): boolean {
  return postedUserId === viewerOf(context).userId;
}
