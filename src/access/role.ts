import type { Viewer } from '../context.ts';
import type { RoleRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';
import { DEFAULT_ROLES } from './permissions.ts';

/** Everybody signed in knows the roles of the network; deleted ones are for whoever edits roles. */
export function canSeeRole(viewer: Viewer, role: RoleRecord): boolean {
  return !role.isDeleted || mayInNetwork(viewer, 'EDIT_ROLE');
}

/** What a role may hold, the viewer's own rank and permissions say. */
export function canCreateRole(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'CREATE_ROLE');
}

export function canEditRole(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_ROLE');
}

export function canDeleteRole(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'DELETE_ROLE');
}

/** In what a role goes beyond somebody who holds these permissions and this rank in the network; null: in nothing. */
export function excessOf(
  role: Pick<RoleRecord, 'permissions' | 'rank'>,
  own: { permissions: ReadonlySet<string>; rank: number },
): 'rank' | 'permissions' | null {
  if (role.rank > own.rank) return 'rank';
  return role.permissions.every((permission) => own.permissions.has(permission)) ? null : 'permissions';
}

/** A role that every network begins with stays. */
export function isDefaultRole(roleId: string): boolean {
  return DEFAULT_ROLES.some((role) => role.roleId === roleId);
}
