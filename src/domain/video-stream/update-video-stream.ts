import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { closeLiveChannel } from '../channel/live-channel.ts';
import { usableFiles } from '../file/usable-files.ts';
import { omitUndefined, validate } from '../input.ts';
import { changeVideoStream, requireOwnVideoStream } from './change-video-stream.ts';
import { streamIdInput, updateVideoStreamInput } from './video-stream-input.ts';

type StreamIdInput = z.input<typeof streamIdInput>;

/**
 * Changes a stream's title, description, thumbnail or metadata. Absent fields stay; null clears.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, INVALID_PARAMETERS
 */
export async function updateVideoStream(
  context: Context,
  input: z.input<typeof updateVideoStreamInput>,
): Promise<VideoStreamRecord> {
  const { streamId, ...update } = validate(updateVideoStreamInput, input);
  const stream = await requireOwnVideoStream(context, streamId);
  const held = stream.thumbnailFileId ? [stream.thumbnailFileId] : [];
  await usableFiles(context, [update.thumbnailFileId], { held, path: ['thumbnailFileId'] });
  const set = omitUndefined({
    title: update.title,
    description: update.description === null ? '' : update.description,
    thumbnailFileId: update.thumbnailFileId,
    metadata: update.metadata === null ? {} : update.metadata,
  });
  return Object.keys(set).length === 0 ? stream : changeVideoStream(context, stream, { set: () => set });
}

/** Starts a stream. @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CONFLICT unless it is idle */
export async function startVideoStream(context: Context, input: StreamIdInput): Promise<VideoStreamRecord> {
  const stream = await requireOwnVideoStream(context, validate(streamIdInput, input).streamId);
  return changeVideoStream(context, stream, {
    from: ['idle'],
    set: (startedAt) => ({ status: 'live', isLive: true, startedAt }),
    names: ['video-streaming.didStart'],
  });
}

/**
 * Ends a stream that is live, or that never started: clients over REST do not report that they start.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED, CONFLICT after it has ended
 */
export async function stopVideoStream(context: Context, input: StreamIdInput): Promise<VideoStreamRecord> {
  const stream = await requireOwnVideoStream(context, validate(streamIdInput, input).streamId);
  return changeVideoStream(context, stream, {
    from: ['idle', 'live'],
    set: (endedAt) => ({ status: 'ended', isLive: false, endedAt }),
    names: ['video-streaming.didStop'],
  });
}

/**
 * Deletes a stream with its chat channel. A live stream ends first.
 * @throws {OperationError} NOT_FOUND, also for a deleted stream; PERMISSION_DENIED
 */
export async function deleteVideoStream(context: Context, input: StreamIdInput): Promise<VideoStreamRecord> {
  const stream = await requireOwnVideoStream(context, validate(streamIdInput, input).streamId);
  return changeVideoStream(context, stream, {
    from: [stream.isLive ? 'live' : stream.status],
    set: (now) => ({
      isDeleted: true,
      ...(stream.isLive && { isLive: false, status: 'ended' as const, endedAt: now }),
    }),
    names: [...(stream.isLive ? (['video-streaming.didStop'] as const) : []), 'video-streaming.deleted'],
    also: (session) => closeLiveChannel(context, session, stream.channelId),
  });
}
