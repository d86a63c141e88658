import { updateRoom } from '../../src/domain/room/update-room.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { shownFields } from '../video-stream/video-stream-payload.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

mutationField(
  'updateRoom',
  {
    description: 'Which room, and how it is to be.',
    inputFields: (t) => ({
      ...roomIdField(t),
      title: t.string({ description: 'Headline, 1 to 150 characters.' }),
      ...shownFields(t),
    }),
  },
  {
    description: 'Changes what a room shows of itself. What is left out stays as it is.',
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await updateRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
