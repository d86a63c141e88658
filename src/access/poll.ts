import type { Viewer } from '../context.ts';
import type { PollRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/** Whether the viewer sees a poll without seeing a post that contains it, and sees it after its deletion. */
export function ownsPoll(viewer: Viewer, poll: PollRecord): boolean {
  return poll.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}
