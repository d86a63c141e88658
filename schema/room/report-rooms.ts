import { recordRoom, reportRoom, setRoomModeration } from '../../src/domain/room/report-room.ts';
import { builder } from '../builder.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { ROOM_PAYLOAD, roomIdField } from './room-payload.ts';

const RoomReportStatus = restEnum('RoomReportStatus', 'Connection state of a room as reported by a media service.', {
  live: 'The connection is established again.',
  waitingReconnect: 'The connection was lost and may be established again; the room stays open.',
  error: 'The connection failed permanently; the room ends.',
});

mutationField(
  'reportRoom',
  {
    description: 'Which room, and what there is to say.',
    inputFields: (t) => ({
      ...roomIdField(t),
      livePlaybackUrl: t.string({ description: 'Where it is watched while live; at most 2,000 characters.' }),
      liveThumbnailUrl: t.string({ description: 'Where its live still is; at most 2,000 characters.' }),
      status: t.field({ type: RoomReportStatus, description: 'What became of its connection.' }),
    }),
  },
  {
    description:
      'For a media service: where a room is watched, and that its connection was lost, is back, or failed. Needs EDIT_USER_FEED_POST in the network, or the server key beside the token.',
    resolve: async (_, { input }, context) => ({ room: await reportRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);

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
    resolve: async (_, { input }, context) => ({ room: await recordRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);

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
    resolve: async (_, { input }, context) => ({ room: await setRoomModeration(context, input) }),
  },
  ROOM_PAYLOAD,
);
