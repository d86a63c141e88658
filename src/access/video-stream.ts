import type { Viewer } from '../context.ts';
import type { VideoStreamRecord } from '../store/records/media.ts';
import { mayInNetwork } from './network.ts';

/**
 * Whether the viewer sees a stream without seeing its post, sees it after its deletion, and sees the URL that it is sent
 * to, with which anybody can broadcast.
 */
export function ownsVideoStream(viewer: Viewer, stream: VideoStreamRecord): boolean {
  return stream.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}
