import type { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { omitUndefined, validate } from '../input.ts';
import { checkMediaService } from '../network/media-service.ts';
import { changeRoom, ended } from './change-room.ts';
import { recordRoomInput, reportRoomInput, setRoomModerationInput } from './room-input.ts';

type Status = RoomRecord['status'];

/** The statuses from which a report can change a room to each status. */
const ALLOWED_FROM: { [To in 'live' | 'waitingReconnect' | 'error']: Status[] } = {
  live: ['waitingReconnect', 'live'],
  waitingReconnect: ['live', 'waitingReconnect'],
  error: ['idle', 'live', 'waitingReconnect'],
};

/**
 * Report of a media service: the playback URL of a room, and whether its connection was lost, restored or failed.
 * @throws {OperationError} PERMISSION_DENIED for all but the media service, NOT_FOUND, CONFLICT if the room's status
 *   does not allow the reported one, INVALID_PARAMETERS
 */
export async function reportRoom(context: Context, input: z.input<typeof reportRoomInput>): Promise<RoomRecord> {
  const { roomId, status, livePlaybackUrl, liveThumbnailUrl } = validate(reportRoomInput, input);
  const room = await requireReportedRoom(context, roomId);
  const urls = omitUndefined({ livePlaybackUrl, liveThumbnailUrl });
  return changeRoom(context, room, {
    ...(status && { from: ALLOWED_FROM[status] }),
    set(before, now) {
      const isSame = Object.keys(urls).length === 0 && (!status || status === before.status);
      if (isSame) return null;
      return { ...urls, ...(status === 'error' ? ended(before, 'error', now) : status && { status }) };
    },
  });
}

/**
 * Report of a media service: the recordings of a room, which replace those of an earlier report.
 * @throws {OperationError} PERMISSION_DENIED for all but the media service, NOT_FOUND, CONFLICT before the room has
 *   ended, INVALID_PARAMETERS
 */
export async function recordRoom(context: Context, input: z.input<typeof recordRoomInput>): Promise<RoomRecord> {
  const { roomId, recordedPlaybackInfos } = validate(recordRoomInput, input);
  const room = await requireReportedRoom(context, roomId);
  return changeRoom(context, room, {
    from: ['ended', 'recorded', 'terminated'],
    set: ({ status }, recordedAt) => ({
      status: status === 'terminated' ? status : 'recorded',
      recordedPlaybackInfos,
      recordedAt,
    }),
  });
}

/**
 * Report of automatic moderation: the labels detected in a room. A terminate label ends a live room.
 * @throws {OperationError} PERMISSION_DENIED for all but the media service, NOT_FOUND, INVALID_PARAMETERS
 */
export async function setRoomModeration(
  context: Context,
  input: z.input<typeof setRoomModerationInput>,
): Promise<RoomRecord> {
  const { roomId, flagLabels, terminateLabels } = validate(setRoomModerationInput, input);
  const room = await requireReportedRoom(context, roomId);
  return changeRoom(context, room, {
    set(before, now) {
      const dated = (labels: typeof flagLabels) =>
        labels.map(({ category, threshold, detectedAt }) => ({ category, threshold, detectedAt: detectedAt ?? now }));
      const isOn = before.status === 'live' || before.status === 'waitingReconnect';
      return {
        moderation: { flagLabels: dated(flagLabels), terminateLabels: dated(terminateLabels), updatedAt: now },
        ...(isOn && terminateLabels.length > 0 && ended(before, 'terminated', now)),
      };
    },
  });
}

async function requireReportedRoom(context: Context, roomId: string): Promise<RoomRecord> {
  viewerOf(context);
  await checkMediaService(context);
  const room = await context.load.rooms.load(roomId);
  if (!room || room.isDeleted) throw notFound('Room');
  return room;
}
