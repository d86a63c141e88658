import { startRoom } from '../../src/domain/room/update-room.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

mutationField(
  'startRoom',
  {
    description: 'Which room.',
    inputFields: (t) => ({ ...roomIdField(t) }),
  },
  {
    description: 'Says that an idle room is live now.',
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await startRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
