import type { Viewer } from '../context.ts';
import type { CommunityUserRecord } from '../store/records/community.ts';
import type { CommentRecord } from '../store/records/content.ts';
import { mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/** The community of a comment with the viewer's membership; both null on a user's feed or profile, and on content. */
export interface CommentPlace {
  community: object | null;
  membership: CommunityUserRecord | null;
}

/** Whether the viewer moderates comments there: edits them, clears their flags, reads deleted ones. */
export function canModerateComments(viewer: Viewer, place: CommentPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'EDIT_COMMUNITY_COMMENT');
  return mayInNetwork(viewer, 'EDIT_USER_FEED_COMMENT');
}

/** Authors and moderators edit comments. The caller has checked that the viewer sees the comment. */
export function canEditComment(viewer: Viewer, comment: CommentRecord, place: CommentPlace): boolean {
  return comment.userId === viewer.userId || canModerateComments(viewer, place);
}

/** As {@link canEditComment}, by the permissions to delete. */
export function canDeleteComment(viewer: Viewer, comment: CommentRecord, place: CommentPlace): boolean {
  return comment.userId === viewer.userId || canEraseComment(viewer, place);
}

/** Whether the viewer deletes comments of others there, and erases content permanently. */
export function canEraseComment(viewer: Viewer, place: CommentPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'DELETE_COMMUNITY_COMMENT');
  return mayInNetwork(viewer, 'DELETE_USER_FEED_COMMENT');
}
