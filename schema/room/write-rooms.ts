import { createRoom } from '../../src/domain/room/create-room.ts';
import { deleteRoom, startRoom, stopRoom, updateRoom } from '../../src/domain/room/update-room.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { shownFields } from '../video-stream/video-stream-payload.ts';
import { RoomTargetType, RoomType } from './room.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

mutationField(
  'createRoom',
  {
    description: 'What room, and where.',
    inputFields: (t) => ({
      title: t.string({ required: true, description: 'Headline, 1 to 150 characters.' }),
      type: t.field({ type: RoomType, description: 'Who streams in it; the host alone unless told.' }),
      targetType: t.field({ type: RoomTargetType, required: true, description: 'Where it stands.' }),
      targetId: t.string({ required: true, description: "Public id of the community, or the viewer's own." }),
      liveChatEnabled: t.boolean({ description: 'Whether it gets a chat, whose moderator is the viewer.' }),
      ...shownFields(t),
    }),
  },
  {
    description:
      "Makes a room in a community or on the viewer's own feed, for a post to show. A media service says where it is watched.",
    resolve: async (_, { input }, context) => ({ room: await createRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);

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
    resolve: async (_, { input }, context) => ({ room: await updateRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'startRoom',
  {
    description: 'Which room.',
    inputFields: (t) => ({ ...roomIdField(t) }),
  },
  {
    description: 'Says that an idle room is live now.',
    resolve: async (_, { input }, context) => ({ room: await startRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'stopRoom',
  {
    description: 'Which room.',
    inputFields: (t) => ({ ...roomIdField(t) }),
  },
  {
    description: 'Says that a room is over.',
    resolve: async (_, { input }, context) => ({ room: await stopRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);

mutationField(
  'deleteRoom',
  {
    description: 'Which room.',
    inputFields: (t) => ({ ...roomIdField(t) }),
  },
  {
    description: 'Deletes a room with its chat; one that is on ends.',
    resolve: async (_, { input }, context) => ({ room: await deleteRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
