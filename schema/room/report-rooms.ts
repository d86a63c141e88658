import { recordRoom, reportRoom, setRoomModeration } from '../../src/domain/room/report-room.ts';
import {
  moderationLabel,
  recordedPlayback,
  recordRoomInput,
  reportRoomInput,
  setRoomModerationInput,
} from '../../src/domain/room/room-input.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { MEDIA_SERVICE } from '../shared/media-service.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { ROOM_PAYLOAD } from './room-payload.ts';

const RoomReportStatus = restEnum('RoomReportStatus', 'Connection state of a room as reported by a media service.', {
  live: 'The connection is established again.',
  waitingReconnect: 'The connection was lost and may be established again; the room stays open.',
  error: 'The connection failed permanently; the room ends.',
});

mutationField(
  'reportRoom',
  inputOf(reportRoomInput, { status: RoomReportStatus }),
  {
    description: `Reports playback URLs and connection state of a room. ${MEDIA_SERVICE}`,
    resolve: async (_, { input }, context) => ({ room: await reportRoom(context, input) }),
    ...causes('room.updated', 'room.didUpdate', 'room.waitingReconnect', 'room.didStop', 'room.endBroadcasting'),
  },
  ROOM_PAYLOAD,
);

const RecordedPlaybackInput = inputType('RecordedPlaybackInput', 'A recording of a room.', {
  schema: recordedPlayback,
});

mutationField(
  'recordRoom',
  inputOf(recordRoomInput, { recordedPlaybackInfos: RecordedPlaybackInput }),
  {
    description: `Reports the recordings of an ended room. ${MEDIA_SERVICE}`,
    resolve: async (_, { input }, context) => ({ room: await recordRoom(context, input) }),
    ...causes('room.didRecord', 'room.recordedAvailable'),
  },
  ROOM_PAYLOAD,
);

const ModerationLabelInput = inputType('ModerationLabelInput', 'A detection of automatic moderation.', {
  schema: moderationLabel,
});

mutationField(
  'setRoomModeration',
  inputOf(setRoomModerationInput, { flagLabels: ModerationLabelInput, terminateLabels: ModerationLabelInput }),
  {
    description: `Reports what automatic moderation detected in a room. A terminating label ends a live room. ${MEDIA_SERVICE}`,
    resolve: async (_, { input }, context) => ({ room: await setRoomModeration(context, input) }),
    ...causes('room.updated', 'room.didUpdate', 'room.didStop', 'room.terminated'),
  },
  ROOM_PAYLOAD,
);
