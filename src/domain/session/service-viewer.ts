import { PERMISSIONS } from '../../access/permissions.ts';
import type { Viewer } from '../../context.ts';

/**
 * The application's own server, as whoever holds the server key and as receivers of webhooks: it sees everything in its
 * network and is nobody in it. Only events are written for it; no operation runs as it.
 */
export function serviceViewer(networkId: string): Viewer {
  return {
    networkId,
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
