import type { Viewer } from '../context.ts';
import type { UserRecord } from '../store/records/user.ts';
import { mayInNetwork } from './network.ts';

/** Deleted accounts are found by those who may edit users and by the user alone. */
export function canSeeUser(viewer: Viewer, user: UserRecord): boolean {
  return !user.isDeleted || user.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER');
}
