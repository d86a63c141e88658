import type { RoomRecord } from '../../src/store/records/media.ts';
import type { SchemaTypes } from '../builder.ts';
import { Room } from './room.ts';

type Fields = PothosSchemaTypes.ObjectFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  { room: RoomRecord }
>;

/** Result of every mutation of a room. */
export const ROOM_PAYLOAD = {
  outputFields: (t: Fields) => ({
    room: t.expose('room', { type: Room, description: 'The room after the change.' }),
  }),
};
