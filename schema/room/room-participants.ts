import { addRoomParticipants, removeRoomParticipants } from '../../src/domain/room/update-room.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

mutationField(
  'addRoomParticipants',
  {
    description: 'Which room, and whom.',
    inputFields: (t) => ({
      ...roomIdField(t),
      userIds: t.stringList({ required: true, description: '1 to 20 public ids of users.' }),
    }),
  },
  {
    description: 'Lets users stream together with the host of a room; at most 20 people in all.',
    resolve: async (_, { input }, context) => ({ room: await addRoomParticipants(context, input) }),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'removeRoomParticipants',
  {
    description: 'Which room, and whom.',
    inputFields: (t) => ({
      ...roomIdField(t),
      userIds: t.stringList({ required: true, description: '1 to 20 public ids of users.' }),
    }),
  },
  {
    description: 'Ends that users stream in a room.',
    resolve: async (_, { input }, context) => ({ room: await removeRoomParticipants(context, input) }),
  },
  ROOM_PAYLOAD,
);
