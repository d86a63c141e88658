import type { RoomRecord } from '../../src/store/records/media.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { User } from '../user/user.ts';
import { Room } from './room.ts';

eventType('room', {
  about: 'a room',
  fields: (t) => ({
    room: t.field({ type: Room, description: 'The room.', resolve: fromPayload<RoomRecord>('room') }),
  }),
});

eventType('roomParticipant', {
  about: 'the participants of a room',
  fields: (t) => ({
    room: t.field({ type: Room, description: 'The room.', resolve: fromPayload<RoomRecord>('room') }),
    participant: t.field({
      type: User,
      description: 'The user who was added or removed.',
      resolve: fromPayload<UserRecord>('participant'),
    }),
  }),
});
