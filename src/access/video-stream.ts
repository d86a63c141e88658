import type { Viewer } from '../context.ts';
import type { VideoStreamRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/**
 * Whether the viewer sees a stream without seeing its post, reads it after its deletion, and learns where it is sent
 * from: whoever knows that address can broadcast.
 */
export function ownsVideoStream(viewer: Viewer, stream: VideoStreamRecord): boolean {
  return stream.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}
