import type { Viewer } from '../context.ts';
import type { RoomRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/**
 * Whether the viewer may change a room: its creator and moderators of the network may. They also see it after its
 * deletion, and without seeing its post.
 */
export function ownsRoom(viewer: Viewer, room: RoomRecord): boolean {
  return room.createdBy === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}
