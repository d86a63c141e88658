import { type ClientSession, ObjectId } from 'mongodb';
import type { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { insertLiveChannel, liveChannel } from '../channel/live-channel.ts';
import { usableFiles } from '../file/usable-files.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { requireOwnVideoStream } from './change-video-stream.ts';
import { NO_URL } from './stream-url.ts';
import { videoStreamEvent } from './video-stream-events.ts';
import { createVideoStreamInput, MAX_CHILD_STREAMS } from './video-stream-input.ts';

/**
 * Creates the record of a live stream. Its URLs are empty until a media service reports them (`provideVideoStream`).
 * Only the owner and moderators see the stream until a post contains it.
 *
 * @throws {OperationError} NOT_FOUND for a file that the viewer did not upload or a parent that the viewer does not see;
 *   PERMISSION_DENIED for a parent of another user; BAD_REQUEST for a parent that is a child or has
 *   {@link MAX_CHILD_STREAMS}; INVALID_PARAMETERS
 */
export async function createVideoStream(
  context: Context,
  input: z.input<typeof createVideoStreamInput>,
): Promise<VideoStreamRecord> {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const given = validate(createVideoStreamInput, input);
  await usableFiles(context, [given.thumbnailFileId], { path: ['thumbnailFileId'] });
  const parent = given.parentStreamId ? await requireOwnVideoStream(context, given.parentStreamId) : null;
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
    parentStreamId: parent?.streamId ?? null,
    childStreamIds: [],
    isLive: false,
    isDeleted: false,
    channelEnabled: channel !== null,
    isParent: parent === null,
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
  await context.transaction(
    async (session) => {
      await context.store.collections.videoStreams.insertOne(stream, { session });
      const linked = parent ? [await addChild(context, session, { parent, streamId, now })] : [];
      const chat = channel ? await insertLiveChannel(context, session, channel) : [];
      await appendEvents(context, session, [videoStreamEvent('video-streaming.created', stream), ...linked, ...chat]);
    },
    lockFor(context, 'record', parent?.streamId ?? streamId, { sharedUserIds: channel ? [userId] : [] }),
  );
  context.load.videoStreams.clear(streamId);
  if (parent) context.load.videoStreams.clear(parent.streamId);
  return stream;
}

/** Adds a stream to the children of its parent. @returns the event to append */
async function addChild(
  context: Context,
  session: ClientSession,
  { parent, streamId, now }: { parent: VideoStreamRecord; streamId: string; now: Date },
): Promise<NewEvent> {
  const changed = await context.store.collections.videoStreams.findOneAndUpdate(
    {
      networkId: parent.networkId,
      streamId: parent.streamId,
      isDeleted: false,
      isParent: true,
      [`childStreamIds.${MAX_CHILD_STREAMS - 1}`]: { $exists: false },
    },
    { $push: { childStreamIds: streamId }, $set: { updatedAt: now } },
    { session, returnDocument: 'after' },
  );
  if (!changed) {
    throw new OperationError('BAD_REQUEST', {
      message: `A parent must not have a parent itself, and has at most ${MAX_CHILD_STREAMS} child streams.`,
      path: ['parentStreamId'],
    });
  }
  return videoStreamEvent('video-streaming.updated', changed);
}
