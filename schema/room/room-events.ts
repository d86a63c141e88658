import type { RoomRecord } from '../../src/store/records/media.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Room } from './room.ts';

eventType('room', {
  about: 'a room',
  fields: (t) => ({
    room: t.field({ type: Room, description: 'The room.', resolve: fromPayload<RoomRecord>('room') }),
  }),
});
