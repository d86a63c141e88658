import type { ClientSession } from 'mongodb';
import { ownsVideoStream } from '../../access/video-stream.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { append, type NewEvent } from '../../events/append.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { lockFor } from '../lock-for.ts';
import { canSeeVideoStream } from './get-video-stream.ts';
import { videoStreamEvent } from './video-stream-events.ts';

/**
 * A stream that the viewer may change.
 * @throws {OperationError} NOT_FOUND when it is absent, deleted or not to be seen; PERMISSION_DENIED for those who see it
 *   and neither send it nor moderate
 */
export async function ownVideoStream(context: Context, streamId: string): Promise<VideoStreamRecord> {
  const viewer = viewerOf(context);
  const stream = await context.load.videoStreams.load(streamId);
  if (!stream || stream.isDeleted || !(await canSeeVideoStream(context, stream))) throw notFound('Video stream');
  if (!ownsVideoStream(viewer, stream)) throw new OperationError('PERMISSION_DENIED');
  return stream;
}

interface StreamChange {
  /** How far the stream must be; whatever it is unless told. */
  from?: Array<VideoStreamRecord['status']>;
  set: (now: Date) => Partial<VideoStreamRecord>;
  /** What that means to others. @default video-streaming.updated */
  names?: Array<NameOf<'videoStream'>>;
  /** What changes with it in the same transaction, and what is to be appended of it. */
  also?: (session: ClientSession) => Promise<NewEvent[]>;
}

/**
 * Changes a stream, if it is as far as it must be: of two who start it at once the later one is told.
 * @throws {OperationError} CONFLICT for a state that leads nowhere, NOT_FOUND when it was deleted meanwhile
 */
export async function changeVideoStream(
  context: Context,
  { networkId, streamId }: Pick<VideoStreamRecord, 'networkId' | 'streamId'>,
  { from, set, names = ['video-streaming.updated'], also }: StreamChange,
): Promise<VideoStreamRecord> {
  const { videoStreams } = context.store.collections;
  const changed = await context.transaction(
    async (session) => {
      const now = context.now();
      const stream = await videoStreams.findOneAndUpdate(
        { networkId, streamId, isDeleted: false, ...(from && { status: { $in: from } }) },
        { $set: { ...set(now), updatedAt: now } },
        { session, returnDocument: 'after' },
      );
      if (!stream) {
        const known = await videoStreams.findOne({ networkId, streamId, isDeleted: false }, { session });
        if (!known) throw notFound('Video stream');
        throw new OperationError('CONFLICT', { message: `This cannot be done to a stream that is ${known.status}.` });
      }
      const others = (await also?.(session)) ?? [];
      await append(context, session, [...names.map((name) => videoStreamEvent(name, stream)), ...others]);
      return stream;
    },
    lockFor(context, 'record', streamId),
  );
  context.load.videoStreams.clear(streamId);
  return changed;
}
