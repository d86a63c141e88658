import type { Viewer } from '../context.ts';
import type { Permission } from './permissions.ts';

/** Whether a network role of the viewer grants a permission, which then applies everywhere in the network. */
export function mayInNetwork(viewer: Viewer, permission: Permission): boolean {
  return viewer.permissions.has(permission);
}
