import type { Viewer } from '../context.ts';
import type { PollRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/**
 * Whether the viewer may change a poll: its creator and moderators of the network may. They also see it after its
 * deletion, and without seeing a post that contains it.
 */
export function ownsPoll(viewer: Viewer, poll: PollRecord): boolean {
  return poll.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}
