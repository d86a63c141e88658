import type { Viewer } from '../context.ts';
import type { UserBlockRecord, UserRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

/*
 * A block applies in both directions. Neither user can create a conversation, channel or community with the other, add
 * the other to one or to a room, write or react in their conversation or change it, mention the other, follow the other,
 * or comment, edit a comment, react, vote or write in a live chat on the other's feed. In one direction only: lists omit
 * posts, comments and follows of users whom the viewer blocked. Blocks do not apply to users who hold BAN_USER in the
 * network.
 */

/** Users cannot block themselves. */
export function canBlockUser(viewer: Viewer, user: Pick<UserRecord, 'userId' | 'isDeleted'>): boolean {
  return user.userId !== viewer.userId && !user.isDeleted;
}

/** Whether blocks apply to the viewer. */
export function isSubjectToBlocks(viewer: Viewer): boolean {
  return !mayInNetwork(viewer, 'BAN_USER');
}

/** Whether one of these blocks applies between the viewer and another user. */
export function isBlockedBetween(
  viewer: Viewer,
  userId: string,
  blocks: ReadonlyArray<Pick<UserBlockRecord, 'userId' | 'blockedUserId'>>,
): boolean {
  if (!isSubjectToBlocks(viewer)) return false;
  return blocks.some(
    (block) =>
      (block.userId === viewer.userId && block.blockedUserId === userId) ||
      (block.userId === userId && block.blockedUserId === viewer.userId),
  );
}

/** Whether lists omit content of users whom the viewer blocked. Moderators of a place see everything there. */
export function omitsBlockedAuthors(viewer: Viewer, moderatesThere: boolean): boolean {
  return viewer.hasBlocks && isSubjectToBlocks(viewer) && !moderatesThere;
}
