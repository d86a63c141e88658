import { deleteRoom } from '../../src/domain/room/update-room.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

mutationField(
  'deleteRoom',
  {
    description: 'Which room.',
    inputFields: (t) => ({ ...roomIdField(t) }),
  },
  {
    description: 'Deletes a room with its chat; one that is on ends.',
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await deleteRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
