import type { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { validate } from '../input.ts';
import { checkMediaService } from '../network/media-service.ts';
import { changeVideoStream } from './change-video-stream.ts';
import { streamUrl } from './stream-url.ts';
import { provideVideoStreamInput, recordVideoStreamInput } from './video-stream-input.ts';

/**
 * Report of a media service: the URLs that a stream is sent to and watched at.
 * @throws {OperationError} PERMISSION_DENIED for all but the media service, NOT_FOUND, CONFLICT if the stream has
 *   ended, INVALID_PARAMETERS
 */
export async function provideVideoStream(
  context: Context,
  input: z.input<typeof provideVideoStreamInput>,
): Promise<VideoStreamRecord> {
  const { streamId, streamerUrl, watcherUrl } = validate(provideVideoStreamInput, input);
  const stream = await requireReportedStream(context, streamId);
  const { flv, hls, rtmp } = watcherUrl;
  const set = {
    streamerUrl: streamUrl(streamerUrl),
    watcherUrl: { flv: streamUrl(flv), hls: streamUrl(hls), rtmp: streamUrl(rtmp) },
  };
  return changeVideoStream(context, stream, { from: ['idle', 'live'], set: () => set });
}

/**
 * Report of a media service: the recordings of a stream, which replace those of an earlier report.
 * @throws {OperationError} PERMISSION_DENIED for all but the media service, NOT_FOUND, CONFLICT before the stream has
 *   ended, INVALID_PARAMETERS
 */
export async function recordVideoStream(
  context: Context,
  input: z.input<typeof recordVideoStreamInput>,
): Promise<VideoStreamRecord> {
  const { streamId, recordings, moderationId } = validate(recordVideoStreamInput, input);
  const stream = await requireReportedStream(context, streamId);
  const set = { status: 'recorded' as const, recordings, ...(moderationId != null && { moderationId }) };
  return changeVideoStream(context, stream, {
    from: ['ended', 'recorded'],
    set: () => set,
    names: ['video-streaming.didRecord'],
  });
}

async function requireReportedStream(context: Context, streamId: string): Promise<VideoStreamRecord> {
  viewerOf(context);
  await checkMediaService(context);
  const stream = await context.load.videoStreams.load(streamId);
  if (!stream || stream.isDeleted) throw notFound('Video stream');
  return stream;
}
