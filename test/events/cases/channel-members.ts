import type { EventCase } from './event-case.ts';
import { channelUsersEvent, createChannel, createUser, createUsers } from './people-fixtures.ts';

export const CHANNEL_MEMBER_CASES: EventCase[] = [
  {
    operation: 'joinChannel',
    situation: 'a public channel',
    async prepare(context) {
      const user = await createUser(context);
      const channel = await createChannel(context);
      return {
        as: user.userId,
        input: { channelId: channel.channelId },
        events: [channelUsersEvent('channel.joined', channel, user)],
      };
    },
  },
  {
    operation: 'joinChannel',
    situation: 'by a member',
    async prepare(context) {
      const user = await createUser(context);
      const { channelId } = await createChannel(context, { members: [user] });
      return { as: user.userId, input: { channelId } };
    },
  },
  {
    operation: 'leaveChannel',
    situation: 'by a member',
    async prepare(context) {
      const user = await createUser(context);
      const channel = await createChannel(context, { members: [user] });
      return {
        as: user.userId,
        input: { channelId: channel.channelId },
        events: [channelUsersEvent('channel.left', channel, user)],
      };
    },
  },
  {
    operation: 'leaveChannel',
    situation: 'by a user who is not a member',
    async prepare(context) {
      const { userId } = await createUser(context);
      return { as: userId, input: { channelId: (await createChannel(context)).channelId } };
    },
  },
  {
    operation: 'addChannelMembers',
    situation: 'two new members and an existing one',
    async prepare(context) {
      const [known, ...users] = await createUsers(context, 3);
      const channel = await createChannel(context, { members: [known!] });
      return {
        input: { channelId: channel.channelId, userIds: [known!, ...users].map(({ userId }) => userId) },
        events: [channelUsersEvent('channel.membersAdded', channel, ...users)],
      };
    },
  },
  {
    operation: 'addChannelMembers',
    situation: 'one of two users is banned: none is added',
    async prepare(context) {
      const [user, banned] = await createUsers(context, 2);
      const { channelId } = await createChannel(context);
      await context.mutate('alice', 'banChannelMembers', { channelId, userIds: [banned!.userId] }, 'clientMutationId');
      return { input: { channelId, userIds: [user!.userId, banned!.userId] }, code: 'BANNED' };
    },
  },
  {
    operation: 'removeChannelMembers',
    situation: 'two members',
    async prepare(context) {
      const users = await createUsers(context, 2);
      const channel = await createChannel(context, { members: users });
      return {
        input: { channelId: channel.channelId, userIds: users.map(({ userId }) => userId) },
        events: [channelUsersEvent('channel.membersRemoved', channel, ...users)],
      };
    },
  },
  {
    operation: 'removeChannelMembers',
    situation: 'one of two users is not a member: none is removed',
    async prepare(context) {
      const [user, stranger] = await createUsers(context, 2);
      const { channelId } = await createChannel(context, { members: [user!] });
      return { input: { channelId, userIds: [user!.userId, stranger!.userId] }, code: 'NOT_FOUND' };
    },
  },
];
