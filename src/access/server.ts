import type { Viewer } from '../context.ts';
import { canChangeNetworkSettings } from './network.ts';

/** The status of the server concerns all of its users, so it is read by those who change the settings of their network. */
export function canReadServerStatus(viewer: Viewer): boolean {
  return canChangeNetworkSettings(viewer);
}
