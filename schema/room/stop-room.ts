import { stopRoom } from '../../src/domain/room/update-room.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

mutationField(
  'stopRoom',
  {
    description: 'Which room.',
    inputFields: (t) => ({ ...roomIdField(t) }),
  },
  {
    description: 'Says that a room is over.',
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await stopRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
