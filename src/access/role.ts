import type { Viewer } from '../context.ts';
import type { RoleRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';
import { DEFAULT_ROLES } from './permissions.ts';

/** Roles are visible to everybody in the network; deleted ones to users who edit roles. */
export function canSeeRole(viewer: Viewer, role: RoleRecord): boolean {
  return !role.isDeleted || mayInNetwork(viewer, 'EDIT_ROLE');
}

/** The viewer's rank and permissions limit what the role may contain. */
export function canCreateRole(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'CREATE_ROLE');
}

export function canEditRole(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_ROLE');
}

export function canDeleteRole(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'DELETE_ROLE');
}

/** What a role exceeds, the rank or the permissions of a user; null for neither. */
export function excessOf(
  role: Pick<RoleRecord, 'permissions' | 'rank'>,
  own: { permissions: ReadonlySet<string>; rank: number },
): 'rank' | 'permissions' | null {
  if (role.rank > own.rank) return 'rank';
  return role.permissions.every((permission) => own.permissions.has(permission)) ? null : 'permissions';
}

/** Default roles cannot be deleted. */
export function isDefaultRole(roleId: string): boolean {
  return DEFAULT_ROLES.some((role) => role.roleId === roleId);
}
