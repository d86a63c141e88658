import type { Viewer } from '../context.ts';
import type { UserRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

type Named = Pick<UserRecord, 'userId'>;

/** Deleted accounts are visible to users who edit users, and to themselves. */
export function canSeeUser(viewer: Viewer, user: UserRecord): boolean {
  return !user.isDeleted || user.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}

/** Everybody edits their own profile, users with EDIT_USER every profile. */
export function canEditUser(viewer: Viewer, user: Named): boolean {
  return user.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}

/** Users cannot flag themselves. */
export function canFlagUser(viewer: Viewer, user: UserRecord): boolean {
  return user.userId !== viewer.userId && !user.isDeleted;
}

export function canClearUserFlags(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_USER');
}

/** Users with BAN_USER ban and unban others, up to their own rank. */
export function canBanUser(viewer: Viewer, user: Named): boolean {
  return user.userId !== viewer.userId && mayInNetwork(viewer, 'BAN_USER');
}

/** Whether the viewer sees the bans from the network, with their reasons. */
export function canSeeBans(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'BAN_USER');
}

/** Everybody ends their own sessions; those of others users with BAN_USER, up to their own rank. */
export function canRevokeSessions(viewer: Viewer, user: Named): boolean {
  return user.userId === viewer.userId || mayInNetwork(viewer, 'BAN_USER');
}

/**
 * Everybody deletes their own account; accounts of others only users who assign network roles, because a deletion
 * cannot be undone.
 */
export function canDeleteUser(viewer: Viewer, user: Named): boolean {
  return user.userId === viewer.userId || mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}

/** Erasing a person is for those who delete the accounts of others; users up to their own rank. */
export function canEraseUser(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}

/** Everybody exports their own data; that of others users who may erase it, up to their own rank. */
export function canExportUser(viewer: Viewer, user: Named): boolean {
  return user.userId === viewer.userId || mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}

/** Assigns network roles, up to their own rank. */
export function canAssignUserRoles(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}
