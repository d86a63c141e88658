import type { Viewer } from '../context.ts';
import type { Permission } from './permissions.ts';

/** Whether the viewer's network-wide roles give a permission, which then holds everywhere in the network. */
export function mayInNetwork(viewer: Viewer, permission: Permission): boolean {
  return viewer.permissions.has(permission);
}
