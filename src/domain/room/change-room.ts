import type { ClientSession } from 'mongodb';
import { ownsRoom } from '../../access/room.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { append, type NewEvent } from '../../events/append.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { RoomRecord } from '../../store/records/media.ts';
import { lockFor } from '../lock-for.ts';
import { canSeeRoom } from './get-room.ts';
import { roomEvent } from './room-events.ts';

/**
 * A room that the viewer may change.
 * @throws {OperationError} NOT_FOUND when it is absent, deleted or not to be seen; PERMISSION_DENIED for those who see it
 *   and neither made it nor moderate
 */
export async function ownRoom(context: Context, roomId: string): Promise<RoomRecord> {
  const viewer = viewerOf(context);
  const room = await context.load.rooms.load(roomId);
  if (!room || room.isDeleted || !(await canSeeRoom(context, room))) throw notFound('Room');
  if (!ownsRoom(viewer, room)) throw new OperationError('PERMISSION_DENIED');
  return room;
}

interface RoomChange {
  /** How far the room must be; whatever it is unless told. */
  from?: Array<RoomRecord['status']>;
  /** By the room as it stands in the transaction; null: nothing changes. */
  set: (room: RoomRecord, now: Date) => Partial<RoomRecord> | null;
  /** What changes with it in the same transaction, and what is to be appended of it. */
  also?: (session: ClientSession) => Promise<NewEvent[]>;
}

/**
 * Changes a room, if it is as far as it must be. It is read in the transaction that writes it: of two changes at once
 * the later one starts again.
 * @throws {OperationError} CONFLICT for a state that leads nowhere, NOT_FOUND when it was deleted meanwhile
 */
export async function changeRoom(
  context: Context,
  { networkId, roomId }: Pick<RoomRecord, 'networkId' | 'roomId'>,
  { from, set, also }: RoomChange,
): Promise<RoomRecord> {
  const { rooms } = context.store.collections;
  const changed = await context.transaction(
    async (session) => {
      const room = await rooms.findOne({ networkId, roomId, isDeleted: false }, { session });
      if (!room) throw notFound('Room');
      if (from && !from.includes(room.status)) {
        throw new OperationError('CONFLICT', { message: `This cannot be done to a room that is ${room.status}.` });
      }
      const now = context.now();
      const $set = set(room, now);
      if (!$set) return room;
      const after = { ...room, ...$set, updatedAt: now };
      await rooms.updateOne({ networkId, roomId }, { $set: { ...$set, updatedAt: now } }, { session });
      const others = (await also?.(session)) ?? [];
      await append(context, session, [...whatHappened(room, $set).map((name) => roomEvent(name, room)), ...others]);
      return after;
    },
    lockFor(context, 'record', roomId),
  );
  context.load.rooms.clear(roomId);
  return changed;
}

/** What a change of a room means to others. A room that goes while it is on also ends. */
function whatHappened(before: RoomRecord, $set: Partial<RoomRecord>): Array<NameOf<'room'>> {
  const { status, isDeleted, endedAt, recordedAt, moderation } = $set;
  const names: Array<NameOf<'room'>> = [];
  if (before.status === 'idle' && status === 'live') names.push('room.didStart');
  if (endedAt) names.push('room.didStop');
  if (recordedAt) names.push('room.didRecord');
  if (isDeleted) names.push('room.deleted');
  return names.length === 0 || moderation ? ['room.updated', ...names] : names;
}

/** What a room becomes that is over: for how long it was live, to the second. */
export function ended(room: RoomRecord, status: 'ended' | 'terminated' | 'error', now: Date): Partial<RoomRecord> {
  const seconds = room.liveAt ? Math.round((now.getTime() - room.liveAt.getTime()) / 1_000) : 0;
  return { status, endedAt: now, durationSeconds: Math.max(0, seconds) };
}
