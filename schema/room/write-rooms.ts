import { createRoom } from '../../src/domain/room/create-room.ts';
import { createRoomInput, roomIdInput, updateRoomInput } from '../../src/domain/room/room-input.ts';
import { deleteRoom, startRoom, stopRoom, updateRoom } from '../../src/domain/room/update-room.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { RoomTargetType, RoomType } from './room.ts';
import { ROOM_PAYLOAD } from './room-payload.ts';

mutationField(
  'createRoom',
  inputOf(createRoomInput, { type: RoomType, targetType: RoomTargetType }),
  {
    description:
      'Creates a room in a community or on the feed of the viewer, to be shown in a post. A media service reports the URL where it is watched.',
    resolve: async (_, { input }, context) => ({ room: await createRoom(context, input) }),
    ...causes('channel.created', 'room.created'),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'updateRoom',
  inputOf(updateRoomInput),
  {
    description:
      'Changes title, description, thumbnail or metadata of a room. Omitted fields stay unchanged; null clears an optional field.',
    resolve: async (_, { input }, context) => ({ room: await updateRoom(context, input) }),
    ...causes('room.updated', 'room.didUpdate'),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'startRoom',
  inputOf(roomIdInput),
  {
    description: 'Marks an idle room as live. `CONFLICT` for a room with another status.',
    resolve: async (_, { input }, context) => ({ room: await startRoom(context, input) }),
    ...causes('room.didStart', 'room.startBroadcasting'),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'stopRoom',
  inputOf(roomIdInput),
  {
    description: 'Ends a room.',
    resolve: async (_, { input }, context) => ({ room: await stopRoom(context, input) }),
    ...causes('room.didStop', 'room.endBroadcasting'),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'deleteRoom',
  inputOf(roomIdInput),
  {
    description: 'Deletes a room and its chat channel. A live room ends.',
    resolve: async (_, { input }, context) => ({ room: await deleteRoom(context, input) }),
    ...causes('channel.deleted', 'room.didStop', 'room.endBroadcasting', 'room.deleted'),
  },
  ROOM_PAYLOAD,
);
