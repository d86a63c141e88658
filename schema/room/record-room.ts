import { recordRoom } from '../../src/domain/room/report-room.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

const PlaybackInput = builder.inputType('RecordedPlaybackInput', {
  description: 'A recording of a room; addresses of at most 2,000 characters.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'Where it is.' }),
    thumbnailUrl: t.string({ required: true, description: 'Where its still is.' }),
  }),
});

mutationField(
  'recordRoom',
  {
    description: 'Which room, and what was recorded.',
    inputFields: (t) => ({
      ...roomIdField(t),
      recordedPlaybackInfos: t.field({
        type: [PlaybackInput],
        required: true,
        description: 'All of its recordings, 1 to 50.',
      }),
    }),
  },
  {
    description:
      'For a media service: what it recorded of a room that is over. Needs EDIT_USER_FEED_POST in the network, or the server key beside the token.',
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await recordRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
