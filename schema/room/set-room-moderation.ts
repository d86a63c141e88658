import { setRoomModeration } from '../../src/domain/room/report-room.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

const LabelInput = builder.inputType('ModerationLabelInput', {
  description: 'Something that automatic moderation saw.',
  fields: (t) => ({
    category: t.string({ required: true, description: 'What it saw, 1 to 100 characters.' }),
    threshold: t.int({ required: true, description: 'From which certainty on, in percent.' }),
    detectedAt: t.field({ type: 'DateTime', description: 'When; now unless told.' }),
  }),
});

mutationField(
  'setRoomModeration',
  {
    description: 'Which room, and what was seen.',
    inputFields: (t) => ({
      ...roomIdField(t),
      flagLabels: t.field({ type: [LabelInput], required: true, description: 'What flags the room, at most 50.' }),
      terminateLabels: t.field({ type: [LabelInput], required: true, description: 'What ends it, at most 50.' }),
    }),
  },
  {
    description:
      'For automatic moderation: what it saw in a room. A label that terminates ends a room that is on. Needs EDIT_USER_FEED_POST in the network, or the server key beside the token.',
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await setRoomModeration(context, input) }),
  },
  ROOM_PAYLOAD,
);
