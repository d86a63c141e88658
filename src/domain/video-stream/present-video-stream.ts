import { ownsVideoStream } from '../../access/video-stream.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { NO_URL } from './stream-url.ts';

/**
 * A stream as the viewer may see it: the address it is sent to is for its owner and moderators alone, and a deleted
 * stream keeps its place but not its content.
 */
export function presentVideoStream(context: Context, stream: VideoStreamRecord): VideoStreamRecord {
  if (ownsVideoStream(viewerOf(context), stream)) return stream;
  if (!stream.isDeleted) return { ...stream, streamerUrl: NO_URL };
  const watcherUrl = { flv: NO_URL, hls: NO_URL, rtmp: NO_URL };
  return { ...stream, streamerUrl: NO_URL, watcherUrl, title: '', description: '', recordings: [], metadata: {} };
}
