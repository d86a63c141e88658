import type { Viewer } from '../context.ts';
import type { RoleRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

/** Everybody signed in knows the roles of the network; deleted ones are for whoever edits roles. */
export function canSeeRole(viewer: Viewer, role: RoleRecord): boolean {
  return !role.isDeleted || mayInNetwork(viewer, 'EDIT_ROLE');
}
