import type { Viewer } from '../context.ts';
import type { CommunityUserRecord } from '../store/records/community.ts';
import type { CommentRecord } from '../store/records/content.ts';
import { mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/** Where a comment stands, as far as access needs it; null community on a user's feed or profile, and on content. */
export interface CommentPlace {
  community: object | null;
  membership: CommunityUserRecord | null;
}

/** Whether the viewer moderates comments there: changes them, clears their flags, reads deleted ones. */
export function canModerateComments(viewer: Viewer, place: CommentPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'EDIT_COMMUNITY_COMMENT');
  return mayInNetwork(viewer, 'EDIT_USER_FEED_COMMENT');
}

/** Authors change what they said, and whoever moderates comments there. The caller made sure that the viewer sees it. */
export function canEditComment(viewer: Viewer, comment: CommentRecord, place: CommentPlace): boolean {
  return comment.userId === viewer.userId || canModerateComments(viewer, place);
}

/** As {@link canEditComment}, by the permissions to delete. */
export function canDeleteComment(viewer: Viewer, comment: CommentRecord, place: CommentPlace): boolean {
  return comment.userId === viewer.userId || canEraseComment(viewer, place);
}

/** Whether the viewer deletes other people's comments there, and erases what they said for good. */
export function canEraseComment(viewer: Viewer, place: CommentPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'DELETE_COMMUNITY_COMMENT');
  return mayInNetwork(viewer, 'DELETE_USER_FEED_COMMENT');
}
