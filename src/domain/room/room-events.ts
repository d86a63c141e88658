import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { RoomRecord } from '../../store/records/media.ts';

type RoomKey = Pick<RoomRecord, 'path' | 'roomId'>;

/** An event about a room. */
export function roomEvent(type: NameOf<'room'>, { path, roomId }: RoomKey): NewEvent {
  return { type, path, data: { roomId } };
}

/** A change of a room's record, under both of its names. */
export function roomUpdatedEvents(room: RoomKey): NewEvent[] {
  return [roomEvent('room.updated', room), roomEvent('room.didUpdate', room)];
}

/** One event for each user who was added or removed. */
export function participantEvents(
  type: NameOf<'roomParticipant'>,
  { path, roomId }: RoomKey,
  users: ReadonlyArray<{ userId: string }>,
): NewEvent[] {
  return users.map(({ userId }) => ({ type, path, data: { roomId, userId } }));
}
