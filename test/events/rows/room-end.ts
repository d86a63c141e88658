import { newRoom, ofChat } from './made.ts';
import type { EventRow, Expected } from './row.ts';

const of = (what: string, { roomId, path }: { roomId: string; path: string }) =>
  [`room.${what}`, path, { roomId }] as unknown as Expected;
const CO_HOSTS = { type: 'CO_HOSTS' };

/** Who takes part in rooms, and the deletion of rooms. */
export const ROOM_END_ROWS: EventRow[] = [
  {
    operation: 'addRoomParticipants',
    situation: 'two users: one event',
    async prepare(world) {
      const made = await newRoom(world, CO_HOSTS);
      return { input: { roomId: made.roomId, userIds: ['bob', 'carol'] }, events: [of('updated', made)] };
    },
  },
  {
    operation: 'addRoomParticipants',
    situation: 'who takes part already',
    async prepare(world) {
      const { roomId } = await newRoom(world, CO_HOSTS);
      return { input: { roomId, userIds: ['alice'] } };
    },
  },
  {
    operation: 'addRoomParticipants',
    situation: 'where there are no co-hosts',
    async prepare(world) {
      const { roomId } = await newRoom(world);
      return { input: { roomId, userIds: ['bob'] }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'removeRoomParticipants',
    situation: 'who takes part',
    async prepare(world) {
      const made = await newRoom(world, CO_HOSTS);
      const input = { roomId: made.roomId, userIds: ['bob'] };
      await world.make('alice', 'addRoomParticipants', input, 'clientMutationId');
      return { input, events: [of('updated', made)] };
    },
  },
  {
    operation: 'removeRoomParticipants',
    situation: 'who takes no part',
    async prepare(world) {
      const { roomId } = await newRoom(world, CO_HOSTS);
      return { input: { roomId, userIds: ['bob'] } };
    },
  },
  {
    operation: 'removeRoomParticipants',
    situation: 'the host: fails in the transaction',
    async prepare(world) {
      const { roomId } = await newRoom(world, CO_HOSTS);
      return { input: { roomId, userIds: ['alice'] }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'deleteRoom',
    situation: 'one that is idle, with a chat, which goes with it',
    async prepare(world) {
      const made = await newRoom(world, { liveChatEnabled: true });
      const events = [of('deleted', made), ofChat('channel.deleted', made.chat)];
      return { input: { roomId: made.roomId }, events };
    },
  },
  {
    operation: 'deleteRoom',
    situation: 'one that is live: it ends first',
    async prepare(world) {
      const made = await newRoom(world);
      await world.make('alice', 'startRoom', { roomId: made.roomId }, 'clientMutationId');
      return { input: { roomId: made.roomId }, events: [of('didStop', made), of('deleted', made)] };
    },
  },
  {
    operation: 'deleteRoom',
    situation: 'one that is deleted',
    async prepare(world) {
      const { roomId } = await newRoom(world);
      await world.make('alice', 'deleteRoom', { roomId }, 'clientMutationId');
      return { input: { roomId }, code: 'NOT_FOUND' };
    },
  },
];
