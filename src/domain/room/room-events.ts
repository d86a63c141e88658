import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { RoomRecord } from '../../store/records/media.ts';

/** An event about a room. */
export function roomEvent(type: NameOf<'room'>, { path, roomId }: Pick<RoomRecord, 'path' | 'roomId'>): NewEvent {
  return { type, path, data: { roomId } };
}
