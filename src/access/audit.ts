import type { Viewer } from '../context.ts';
import { canChangeNetworkSettings } from './network.ts';

/** The log names moderators with their addresses, so it is for users who control all access. */
export function canReadAuditLog(viewer: Viewer): boolean {
  return canChangeNetworkSettings(viewer);
}
