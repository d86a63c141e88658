import type { Viewer } from '../context.ts';
import type { UserBlockRecord, UserRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

/*
 * What it means that one user blocked another, whoever of the two it was:
 * neither makes a conversation, channel or community with the other in it, or adds the other to one; neither writes in
 * the conversation of the two, mentions the other, or comments or reacts on the other's feed. Whoever blocked does not
 * meet in lists what the other posted and commented. Those who ban users in the network are not hindered.
 */

/** Nobody blocks themselves. */
export function canBlockUser(viewer: Viewer, user: Pick<UserRecord, 'userId' | 'isDeleted'>): boolean {
  return user.userId !== viewer.userId && !user.isDeleted;
}

/** Whether blocks hinder the viewer at all. */
export function isHinderedByBlocks(viewer: Viewer): boolean {
  return !mayInNetwork(viewer, 'BAN_USER');
}

/** Whether one of these blocks stands between the viewer and another user. */
export function standsBetween(
  viewer: Viewer,
  userId: string,
  blocks: ReadonlyArray<Pick<UserBlockRecord, 'userId' | 'blockedUserId'>>,
): boolean {
  if (!isHinderedByBlocks(viewer)) return false;
  return blocks.some(
    (block) =>
      (block.userId === viewer.userId && block.blockedUserId === userId) ||
      (block.userId === userId && block.blockedUserId === viewer.userId),
  );
}

/** Whether lists leave out what others wrote when the viewer blocked them; moderators of a place read everything there. */
export function isSparedOfBlocked(viewer: Viewer, moderatesThere: boolean): boolean {
  return viewer.hasBlocks && isHinderedByBlocks(viewer) && !moderatesThere;
}
