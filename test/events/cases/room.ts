import { chatEvent, chatOf, createRoom, ROOM, roomEvent, roomEvents } from './content-fixtures.ts';
import type { CaseContext, EventCase } from './event-case.ts';

const select = 'room { roomId path }';

const url = 'https://media.test/live/a';
const recordedPlaybackInfos = [{ url, thumbnailUrl: url }];
const label = { category: 'mess', threshold: 60 };

async function createLiveRoom(context: CaseContext, fields: object = {}) {
  const created = await createRoom(context, fields);
  await context.mutate('alice', 'startRoom', { roomId: created.roomId }, 'clientMutationId');
  return created;
}

export const ROOM_CASES: EventCase[] = [
  {
    operation: 'createRoom',
    situation: 'without a chat',
    prepare: () => ({ input: ROOM, select, events: ({ room }) => [roomEvent('room.created', room)] }),
  },
  {
    operation: 'createRoom',
    situation: 'with a chat',
    prepare: () => ({
      input: { ...ROOM, liveChatEnabled: true },
      select,
      events: async ({ room }, context) => [
        roomEvent('room.created', room),
        chatEvent('channel.created', await chatOf(context, room)),
      ],
    }),
  },
  {
    operation: 'updateRoom',
    situation: 'its title',
    async prepare(context) {
      const created = await createRoom(context);
      return { input: { roomId: created.roomId, title: 'New' }, events: roomEvents('room.updated', created) };
    },
  },
  {
    operation: 'updateRoom',
    situation: 'without a change',
    async prepare(context) {
      const { roomId } = await createRoom(context);
      return { input: { roomId } };
    },
  },
  {
    operation: 'startRoom',
    situation: 'an idle room',
    async prepare(context) {
      const created = await createRoom(context);
      return { input: { roomId: created.roomId }, events: roomEvents('room.didStart', created) };
    },
  },
  {
    operation: 'startRoom',
    situation: 'a live room: fails in the transaction',
    async prepare(context) {
      const { roomId } = await createLiveRoom(context);
      return { input: { roomId }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'stopRoom',
    situation: 'a live room',
    async prepare(context) {
      const created = await createLiveRoom(context);
      return { input: { roomId: created.roomId }, events: roomEvents('room.didStop', created) };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'a lost connection',
    async prepare(context) {
      const created = await createLiveRoom(context);
      const input = { roomId: created.roomId, status: 'WAITING_RECONNECT' };
      const events = [...roomEvents('room.updated', created), roomEvent('room.waitingReconnect', created)];
      return { as: 'admin', input, events };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'a restored connection',
    async prepare(context) {
      const created = await createLiveRoom(context);
      const { roomId } = created;
      await context.mutate('admin', 'reportRoom', { roomId, status: 'WAITING_RECONNECT' }, 'clientMutationId');
      return { as: 'admin', input: { roomId, status: 'LIVE' }, events: roomEvents('room.updated', created) };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'the current status',
    async prepare(context) {
      const { roomId } = await createLiveRoom(context);
      return { as: 'admin', input: { roomId, status: 'LIVE' } };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'a failed connection: the room stops',
    async prepare(context) {
      const created = await createLiveRoom(context);
      return {
        as: 'admin',
        input: { roomId: created.roomId, status: 'ERROR' },
        events: roomEvents('room.didStop', created),
      };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'live, for an idle room: fails in the transaction',
    async prepare(context) {
      const { roomId } = await createRoom(context);
      return { as: 'admin', input: { roomId, status: 'LIVE' }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'recordRoom',
    situation: 'a stopped room',
    async prepare(context) {
      const created = await createLiveRoom(context);
      await context.mutate('alice', 'stopRoom', { roomId: created.roomId }, 'clientMutationId');
      const input = { roomId: created.roomId, recordedPlaybackInfos };
      return { as: 'admin', input, events: roomEvents('room.didRecord', created) };
    },
  },
  {
    operation: 'setRoomModeration',
    situation: 'flag labels: the room continues',
    async prepare(context) {
      const created = await createLiveRoom(context);
      const input = { roomId: created.roomId, flagLabels: [label], terminateLabels: [] };
      return { as: 'admin', input, events: roomEvents('room.updated', created) };
    },
  },
  {
    operation: 'setRoomModeration',
    situation: 'terminate labels: the room stops',
    async prepare(context) {
      const created = await createLiveRoom(context);
      const input = { roomId: created.roomId, flagLabels: [], terminateLabels: [label] };
      return {
        as: 'admin',
        input,
        events: [
          ...roomEvents('room.updated', created),
          roomEvent('room.didStop', created),
          roomEvent('room.terminated', created),
        ],
      };
    },
  },
];
