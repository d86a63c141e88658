import type { Viewer } from '../context.ts';
import type { UserRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

type Named = Pick<UserRecord, 'userId'>;

/** Deleted accounts are found by those who may edit users and by the user alone. */
export function canSeeUser(viewer: Viewer, user: UserRecord): boolean {
  return !user.isDeleted || user.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}

/** Everybody changes their own profile, those who edit users every profile. */
export function canEditUser(viewer: Viewer, user: Named): boolean {
  return user.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}

/** Nobody flags themselves. */
export function canFlagUser(viewer: Viewer, user: UserRecord): boolean {
  return user.userId !== viewer.userId && !user.isDeleted;
}

export function canClearUserFlags(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_USER');
}

/** Bans from the network and takes such bans back; whom, the rank says. Nobody bans themselves. */
export function canBanUser(viewer: Viewer, user: Named): boolean {
  return user.userId !== viewer.userId && mayInNetwork(viewer, 'BAN_USER');
}

/** Everybody deletes their own account; those of others only who grants roles in the network, since nothing brings one back. */
export function canDeleteUser(viewer: Viewer, user: Named): boolean {
  return user.userId === viewer.userId || mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}

/** Grants and takes away roles in the network; which ones, the viewer's rank says. */
export function canAssignUserRoles(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}
