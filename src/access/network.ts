import type { Viewer } from '../context.ts';
import type { Permission } from './permissions.ts';

/** Whether a network role of the viewer grants a permission, which then applies everywhere in the network. */
export function mayInNetwork(viewer: Viewer, permission: Permission): boolean {
  return viewer.permissions.has(permission);
}

/**
 * Settings affect what all users see, so they are changed by users who control all access: those who can edit and assign
 * roles. Of the default roles, only `global-admin` can.
 */
export function canChangeNetworkSettings(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_ROLE') && mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}
