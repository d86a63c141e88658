import { ObjectId } from 'mongodb';
import type { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { insertLiveChannel, liveChannel } from '../channel/live-channel.ts';
import { usableFiles } from '../file/usable-files.ts';
import { validate } from '../input.ts';
import { NO_URL } from './stream-url.ts';
import { videoStreamEvent } from './video-stream-events.ts';
import { createVideoStreamInput } from './video-stream-input.ts';

/**
 * Creates the record of a live stream. Its URLs are empty until a media service reports them (`provideVideoStream`).
 * Only the owner and moderators see the stream until a post contains it.
 *
 * @throws {OperationError} NOT_FOUND for a file that the viewer did not upload, INVALID_PARAMETERS
 */
export async function createVideoStream(
  context: Context,
  input: z.input<typeof createVideoStreamInput>,
): Promise<VideoStreamRecord> {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const given = validate(createVideoStreamInput, input);
  await usableFiles(context, [given.thumbnailFileId], { path: ['thumbnailFileId'] });
  const _id = new ObjectId();
  const streamId = _id.toHexString();
  const now = context.now();
  const channel = given.channelEnabled
    ? liveChannel(context, { title: given.title, attachedTo: { videoStreamId: streamId } })
    : null;
  const stream: VideoStreamRecord = {
    _id,
    networkId,
    streamId,
    userId,
    userInternalId,
    thumbnailFileId: given.thumbnailFileId ?? null,
    title: given.title,
    description: given.description ?? '',
    moderationId: null,
    postId: null,
    channelId: channel?.channelId ?? null,
    parentStreamId: null,
    childStreamIds: [],
    isLive: false,
    isDeleted: false,
    channelEnabled: channel !== null,
    isParent: true,
    status: 'idle',
    platform: given.platform ?? { name: '', version: '' },
    resolution: given.resolution ?? 'HD',
    streamerUrl: NO_URL,
    watcherUrl: { flv: NO_URL, hls: NO_URL, rtmp: NO_URL },
    recordings: [],
    metadata: given.metadata ?? {},
    startedAt: null,
    endedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await context.transaction(async (session) => {
    await context.store.collections.videoStreams.insertOne(stream, { session });
    const chat = channel ? await insertLiveChannel(context, session, channel) : [];
    await appendEvents(context, session, [videoStreamEvent('video-streaming.created', stream), ...chat]);
  });
  context.load.videoStreams.clear(streamId);
  return stream;
}
