import { reportRoom } from '../../src/domain/room/report-room.ts';
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
    errors: {},
    resolve: async (_, { input }, context) => ({ room: await reportRoom(context, input) }),
  },
  ROOM_PAYLOAD,
);
