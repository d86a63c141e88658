import type { Viewer } from '../context.ts';
import type { RoleRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

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
