import type { RoomRecord } from '../../src/store/records/media.ts';
import type { builder, SchemaTypes } from '../builder.ts';
import { Room } from './room.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

/** What a mutation of a room answers. */
export const ROOM_PAYLOAD = {
  description: 'The room as it is now.',
  outputFields: (
    t: PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, { room: RoomRecord }>,
  ) => ({
    room: t.expose('room', { type: Room, description: 'The room.' }),
  }),
};

export const roomIdField = (t: InputFields) => ({
  roomId: t.string({ required: true, description: 'Public id of the room.' }),
});
