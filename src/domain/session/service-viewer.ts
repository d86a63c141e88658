import { PERMISSIONS } from '../../access/permissions.ts';
import type { Viewer } from '../../context.ts';

/**
 * The viewer that stands for the application's server: holders of the server key and receivers of webhooks. It sees
 * everything in its network but is not a user. Events are rendered for it, and the
 * steps of an erasure run as it.
 */
export function serviceViewer(networkId: string): Viewer {
  return {
    networkId,
    userType: 'signed-in',
    userId: '',
    userInternalId: '',
    sessionId: '',
    sessionInternalId: '',
    roles: [],
    permissions: new Set(PERMISSIONS),
    hasBlocks: false,
    expiresAt: new Date(8.64e15),
  };
}
