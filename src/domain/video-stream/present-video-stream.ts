import { ownsVideoStream } from '../../access/video-stream.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { NO_URL } from './stream-url.ts';

/**
 * Hides from all but the owner and moderators the URL that a stream is sent to and, if the stream is deleted, its
 * content. The record itself stays in its post.
 */
export function presentVideoStream(context: Context, stream: VideoStreamRecord): VideoStreamRecord {
  if (ownsVideoStream(viewerOf(context), stream)) return stream;
  if (!stream.isDeleted) return { ...stream, streamerUrl: NO_URL };
  const watcherUrl = { flv: NO_URL, hls: NO_URL, rtmp: NO_URL };
  return { ...stream, streamerUrl: NO_URL, watcherUrl, title: '', description: '', recordings: [], metadata: {} };
}
