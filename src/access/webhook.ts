import type { Viewer } from '../context.ts';
import { mayInNetwork } from './network.ts';

/**
 * Webhooks send every event of the network to an external server. They are for users who decide about all access
 * anyway: those who edit and assign roles. Of the default roles, that is `global-admin`.
 */
export function canManageWebhooks(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_ROLE') && mayInNetwork(viewer, 'ASSIGN_USER_ROLE');
}
