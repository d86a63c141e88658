import type { Viewer } from '../context.ts';
import type { Permission } from './permissions.ts';

/** Whether a network role of the viewer grants a permission, which then applies everywhere in the network. */
export function mayInNetwork(viewer: Viewer, permission: Permission): boolean {
  return viewer.permissions.has(permission);
}

/**
 * Settings decide what all users see. They are for users who decide about all access anyway: those who edit and assign
 * roles. Of the default roles, that is `global-admin`.
 */
export function canChangeNetworkSettings(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_ROLE') && mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}
