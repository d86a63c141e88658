import { chatEvent, createRoom, roomEvent, roomEvents } from './content-fixtures.ts';
import type { EventCase, ExpectedEvent } from './event-case.ts';

const participantEvent = (
  type: 'room.participantJoined' | 'room.participantRemoved',
  { roomId, path }: { roomId: string; path: string },
  userId: string,
): ExpectedEvent => [type, path, { roomId, userId }];
const CO_HOSTS = { type: 'CO_HOSTS' };

/** Participants and deletion of rooms. */
export const ROOM_END_CASES: EventCase[] = [
  {
    operation: 'addRoomParticipants',
    situation: 'two users: one event for each',
    async prepare(context) {
      const created = await createRoom(context, CO_HOSTS);
      return {
        input: { roomId: created.roomId, userIds: ['bob', 'carol'] },
        events: [
          ...roomEvents('room.updated', created),
          participantEvent('room.participantJoined', created, 'bob'),
          participantEvent('room.participantJoined', created, 'carol'),
        ],
      };
    },
  },
  {
    operation: 'addRoomParticipants',
    situation: 'a participant',
    async prepare(context) {
      const { roomId } = await createRoom(context, CO_HOSTS);
      return { input: { roomId, userIds: ['alice'] } };
    },
  },
  {
    operation: 'addRoomParticipants',
    situation: 'in a room without co-hosts',
    async prepare(context) {
      const { roomId } = await createRoom(context);
      return { input: { roomId, userIds: ['bob'] }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'removeRoomParticipants',
    situation: 'a participant',
    async prepare(context) {
      const created = await createRoom(context, CO_HOSTS);
      const input = { roomId: created.roomId, userIds: ['bob'] };
      await context.mutate('alice', 'addRoomParticipants', input, 'clientMutationId');
      const events = [
        ...roomEvents('room.updated', created),
        participantEvent('room.participantRemoved', created, 'bob'),
      ];
      return { input, events };
    },
  },
  {
    operation: 'removeRoomParticipants',
    situation: 'a user who is not a participant',
    async prepare(context) {
      const { roomId } = await createRoom(context, CO_HOSTS);
      return { input: { roomId, userIds: ['bob'] } };
    },
  },
  {
    operation: 'removeRoomParticipants',
    situation: 'the host: fails in the transaction',
    async prepare(context) {
      const { roomId } = await createRoom(context, CO_HOSTS);
      return { input: { roomId, userIds: ['alice'] }, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'deleteRoom',
    situation: 'an idle room with its chat',
    async prepare(context) {
      const created = await createRoom(context, { liveChatEnabled: true });
      const events = [roomEvent('room.deleted', created), chatEvent('channel.deleted', created.chat)];
      return { input: { roomId: created.roomId }, events };
    },
  },
  {
    operation: 'deleteRoom',
    situation: 'a live room: it is stopped first',
    async prepare(context) {
      const created = await createRoom(context);
      await context.mutate('alice', 'startRoom', { roomId: created.roomId }, 'clientMutationId');
      return {
        input: { roomId: created.roomId },
        events: [...roomEvents('room.didStop', created), roomEvent('room.deleted', created)],
      };
    },
  },
  {
    operation: 'deleteRoom',
    situation: 'a deleted room',
    async prepare(context) {
      const { roomId } = await createRoom(context);
      await context.mutate('alice', 'deleteRoom', { roomId }, 'clientMutationId');
      return { input: { roomId }, code: 'NOT_FOUND' };
    },
  },
];
