import { createRoom } from '../../src/domain/room/create-room.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { shownFields } from '../video-stream/video-stream-payload.ts';
import { RoomTargetType, RoomType } from './room.ts';
import { ROOM_PAYLOAD } from './room-payload.ts';

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
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await createRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
