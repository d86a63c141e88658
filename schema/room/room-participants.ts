import { roomParticipantsInput } from '../../src/domain/room/room-input.ts';
import { addRoomParticipants, removeRoomParticipants } from '../../src/domain/room/update-room.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { ROOM_PAYLOAD } from './room-payload.ts';

mutationField(
  'addRoomParticipants',
  inputOf(roomParticipantsInput),
  {
    description: 'Adds users who stream together with the host; a room has at most 20 participants.',
    resolve: async (_, { input }, context) => ({ room: await addRoomParticipants(context, input) }),
    ...causes('room.updated', 'room.didUpdate', 'room.participantJoined'),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'removeRoomParticipants',
  inputOf(roomParticipantsInput),
  {
    description: 'Removes participants from a room.',
    resolve: async (_, { input }, context) => ({ room: await removeRoomParticipants(context, input) }),
    ...causes('room.updated', 'room.didUpdate', 'room.participantRemoved'),
  },
  ROOM_PAYLOAD,
);
