import { chatOf, newRoom, ofChat, ROOM } from './made.ts';
import type { EventRow, Expected, World } from './row.ts';

const of = (what: string, { roomId, path }: { roomId: string; path: string }) =>
  [`room.${what}`, path, { roomId }] as unknown as Expected;
const select = 'room { roomId path }';

const url = 'https://media.test/live/a';
const recordedPlaybackInfos = [{ url, thumbnailUrl: url }];
const label = { category: 'mess', threshold: 60 };

async function newLiveRoom(world: World, fields: object = {}) {
  const made = await newRoom(world, fields);
  await world.make('alice', 'startRoom', { roomId: made.roomId }, 'clientMutationId');
  return made;
}

export const ROOM_ROWS: EventRow[] = [
  {
    operation: 'createRoom',
    situation: 'without a chat',
    prepare: () => ({ input: ROOM, select, events: ({ room }) => [of('created', room)] }),
  },
  {
    operation: 'createRoom',
    situation: 'with a chat',
    prepare: () => ({
      input: { ...ROOM, liveChatEnabled: true },
      select,
      events: async ({ room }, world) => [of('created', room), ofChat('channel.created', await chatOf(world, room))],
    }),
  },
  {
    operation: 'updateRoom',
    situation: 'another title',
    async prepare(world) {
      const made = await newRoom(world);
      return { input: { roomId: made.roomId, title: 'New' }, events: [of('updated', made)] };
    },
  },
  {
    operation: 'updateRoom',
    situation: 'nothing is named',
    async prepare(world) {
      const { roomId } = await newRoom(world);
      return { input: { roomId } };
    },
  },
  {
    operation: 'startRoom',
    situation: 'one that is idle',
    async prepare(world) {
      const made = await newRoom(world);
      return { input: { roomId: made.roomId }, events: [of('didStart', made)] };
    },
  },
  {
    operation: 'startRoom',
    situation: 'one that is live: fails in the transaction',
    async prepare(world) {
      const { roomId } = await newLiveRoom(world);
      return { input: { roomId }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'stopRoom',
    situation: 'one that is live',
    async prepare(world) {
      const made = await newLiveRoom(world);
      return { input: { roomId: made.roomId }, events: [of('didStop', made)] };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'its connection is lost',
    async prepare(world) {
      const made = await newLiveRoom(world);
      const input = { roomId: made.roomId, status: 'WAITING_RECONNECT' };
      return { as: 'admin', input, events: [of('updated', made)] };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'what is known',
    async prepare(world) {
      const { roomId } = await newLiveRoom(world);
      return { as: 'admin', input: { roomId, status: 'LIVE' } };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'its connection failed: it ends',
    async prepare(world) {
      const made = await newLiveRoom(world);
      return { as: 'admin', input: { roomId: made.roomId, status: 'ERROR' }, events: [of('didStop', made)] };
    },
  },
  {
    operation: 'reportRoom',
    situation: 'live, of one that is idle: fails in the transaction',
    async prepare(world) {
      const { roomId } = await newRoom(world);
      return { as: 'admin', input: { roomId, status: 'LIVE' }, code: 'CONFLICT' };
    },
  },
  {
    operation: 'recordRoom',
    situation: 'one that is over',
    async prepare(world) {
      const made = await newLiveRoom(world);
      await world.make('alice', 'stopRoom', { roomId: made.roomId }, 'clientMutationId');
      const input = { roomId: made.roomId, recordedPlaybackInfos };
      return { as: 'admin', input, events: [of('didRecord', made)] };
    },
  },
  {
    operation: 'setRoomModeration',
    situation: 'what it saw goes on',
    async prepare(world) {
      const made = await newLiveRoom(world);
      const input = { roomId: made.roomId, flagLabels: [label], terminateLabels: [] };
      return { as: 'admin', input, events: [of('updated', made)] };
    },
  },
  {
    operation: 'setRoomModeration',
    situation: 'what it saw ends the room',
    async prepare(world) {
      const made = await newLiveRoom(world);
      const input = { roomId: made.roomId, flagLabels: [], terminateLabels: [label] };
      return { as: 'admin', input, events: [of('updated', made), of('didStop', made)] };
    },
  },
];
