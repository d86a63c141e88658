import type { Viewer } from '../context.ts';
import { mayInNetwork } from './network.ts';

/**
 * Webhooks carry everything that happens in the network to somebody outside. They are for whoever decides anyway who
 * sees what: who both changes roles and gives them. Of the roles that every network begins with, that is `global-admin`.
 */
export function canManageWebhooks(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_ROLE') && mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}
