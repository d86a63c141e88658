import type { ClientSession } from 'mongodb';
import { ownsRoom } from '../../access/room.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockFor } from '../lock-for.ts';
import { canSeeRoom } from './get-room.ts';
import { participantEvents, roomEvent, roomUpdatedEvents } from './room-events.ts';

/**
 * A room that the viewer can change: as its creator or a moderator.
 * @throws {OperationError} NOT_FOUND if the room does not exist, is deleted or not visible; PERMISSION_DENIED for other
 *   users who see it
 */
export async function requireOwnRoom(context: Context, roomId: string): Promise<RoomRecord> {
  const viewer = viewerOf(context);
  const room = await context.load.rooms.load(roomId);
  if (!room || room.isDeleted || !(await canSeeRoom(context, room))) throw notFound('Room');
  if (!ownsRoom(viewer, room)) throw new OperationError('PERMISSION_DENIED');
  return room;
}

interface RoomChange {
  /** Statuses in which the change is allowed. @default all */
  from?: Array<RoomRecord['status']>;
  /** Checks in the transaction whether the viewer may make the change. */
  require?: (session: ClientSession) => Promise<void>;
  /** Computes the changes from the room as read in the transaction; null for none. */
  set: (room: RoomRecord, now: Date) => Partial<RoomRecord> | null;
  /** Further writes in the same transaction. Returns the events to append. */
  also?: (session: ClientSession) => Promise<NewEvent[]>;
}

/**
 * Changes a room if its status allows it. The transaction that writes the room also reads it, so the later one of two
 * concurrent changes is retried.
 * @throws {OperationError} CONFLICT for a status not in `from`; NOT_FOUND if the room was deleted in the meantime
 */
export async function changeRoom(
  context: Context,
  { networkId, roomId }: Pick<RoomRecord, 'networkId' | 'roomId'>,
  { from, require, set, also }: RoomChange,
): Promise<RoomRecord> {
  const { rooms } = context.store.collections;
  const changed = await context.transaction(
    async (session) => {
      const room = await rooms.findOne({ networkId, roomId, isDeleted: false }, { session });
      if (!room) throw notFound('Room');
      await require?.(session);
      if (from && !from.includes(room.status)) {
        throw new OperationError('CONFLICT', {
          message: `A room with the status ${room.status} does not allow this operation.`,
        });
      }
      const now = context.now();
      const $set = set(room, now);
      if (!$set) return room;
      const after = { ...room, ...$set, updatedAt: now };
      await rooms.updateOne({ networkId, roomId }, { $set: { ...$set, updatedAt: now } }, { session });
      const others = (await also?.(session)) ?? [];
      if (room.createdBy !== viewerOf(context).userId) {
        await recordAudit(context, session, [
          { subjectType: 'room', subjectId: roomId, affectedUserId: room.createdBy },
        ]);
      }
      await appendEvents(context, session, [...eventsOf(room, $set), ...others]);
      return after;
    },
    lockFor(context, 'record', roomId),
  );
  context.load.rooms.clear(roomId);
  return changed;
}

/** The events of a change. Deleting a live room also ends it. */
function eventsOf(before: RoomRecord, $set: Partial<RoomRecord>): NewEvent[] {
  const { status, isDeleted, endedAt, recordedAt, moderation, participants } = $set;
  const events: NewEvent[] = [];
  if (before.status === 'idle' && status === 'live') {
    events.push(roomEvent('room.didStart', before), roomEvent('room.startBroadcasting', before));
  }
  if (endedAt) {
    const end = status === 'terminated' ? 'room.terminated' : 'room.endBroadcasting';
    events.push(roomEvent('room.didStop', before), roomEvent(end, before));
  }
  if (recordedAt) events.push(roomEvent('room.didRecord', before), roomEvent('room.recordedAvailable', before));
  if (isDeleted) events.push(roomEvent('room.deleted', before));
  if (events.length > 0 && !moderation) return events;
  const isConnectionLost = status === 'waitingReconnect' && before.status !== status;
  return [
    ...roomUpdatedEvents(before),
    ...(isConnectionLost ? [roomEvent('room.waitingReconnect', before)] : []),
    ...(participants ? changedParticipants(before, participants) : []),
    ...events,
  ];
}

function changedParticipants(before: RoomRecord, participants: RoomRecord['participants']): NewEvent[] {
  const without = (all: RoomRecord['participants'], some: RoomRecord['participants']) =>
    all.filter(({ userId }) => !some.some((one) => one.userId === userId));
  return [
    ...participantEvents('room.participantJoined', before, without(participants, before.participants)),
    ...participantEvents('room.participantRemoved', before, without(before.participants, participants)),
  ];
}

/** Changes that end a room; its duration is rounded to seconds. */
export function ended(room: RoomRecord, status: 'ended' | 'terminated' | 'error', now: Date): Partial<RoomRecord> {
  const seconds = room.liveAt ? Math.round((now.getTime() - room.liveAt.getTime()) / 1_000) : 0;
  return { status, endedAt: now, durationSeconds: Math.max(0, seconds) };
}
