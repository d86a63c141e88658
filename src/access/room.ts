import type { Viewer } from '../context.ts';
import type { RoomRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/** Whether the viewer sees a room without seeing its post, and sees it after its deletion. */
export function ownsRoom(viewer: Viewer, room: RoomRecord): boolean {
  return room.createdBy === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}
