import type { ClientSession } from 'mongodb';
import { ownsVideoStream } from '../../access/video-stream.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockFor } from '../lock-for.ts';
import { canSeeVideoStream } from './get-video-stream.ts';
import { videoStreamEvent } from './video-stream-events.ts';

/**
 * A stream that the viewer can change: as its owner or a moderator.
 * @throws {OperationError} NOT_FOUND if the stream does not exist, is deleted or not visible; PERMISSION_DENIED for other
 *   users who see it
 */
export async function requireOwnVideoStream(context: Context, streamId: string): Promise<VideoStreamRecord> {
  const viewer = viewerOf(context);
  const stream = await context.load.videoStreams.load(streamId);
  if (!stream || stream.isDeleted || !(await canSeeVideoStream(context, stream))) throw notFound('Video stream');
  if (!ownsVideoStream(viewer, stream)) throw new OperationError('PERMISSION_DENIED');
  return stream;
}

interface StreamChange {
  /** Statuses in which the change is allowed. @default all */
  from?: Array<VideoStreamRecord['status']>;
  set: (now: Date) => Partial<VideoStreamRecord>;
  /** Names of the events to append. @default video-streaming.updated */
  names?: Array<NameOf<'videoStream'>>;
  /** Further writes in the same transaction. Returns the events to append. */
  also?: (session: ClientSession) => Promise<NewEvent[]>;
}

/**
 * Changes a stream if its status allows it. Of two concurrent starts, for example, the later one fails.
 * @throws {OperationError} CONFLICT for a status not in `from`; NOT_FOUND if the stream was deleted in the meantime
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
        throw new OperationError('CONFLICT', {
          message: `A video stream with the status ${known.status} does not allow this operation.`,
        });
      }
      const others = (await also?.(session)) ?? [];
      if (stream.userId !== viewerOf(context).userId) {
        await recordAudit(context, session, [
          { subjectType: 'videoStream', subjectId: streamId, affectedUserId: stream.userId },
        ]);
      }
      await appendEvents(context, session, [...names.map((name) => videoStreamEvent(name, stream)), ...others]);
      return stream;
    },
    lockFor(context, 'record', streamId),
  );
  context.load.videoStreams.clear(streamId);
  return changed;
}
