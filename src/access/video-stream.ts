import type { Viewer } from '../context.ts';
import type { VideoStreamRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/**
 * Whether the viewer may change a stream: its creator and moderators of the network may. They also see it after its
 * deletion, without seeing its post, and with the URL that it is sent to, with which anybody can broadcast.
 */
export function ownsVideoStream(viewer: Viewer, stream: VideoStreamRecord): boolean {
  return stream.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}
