import { inChannel, newChannel, newUser, newUsers } from './people-made.ts';
import type { EventRow } from './row.ts';

export const CHANNEL_MEMBER_ROWS: EventRow[] = [
  {
    operation: 'joinChannel',
    situation: 'a public one',
    async prepare(world) {
      const user = await newUser(world);
      const channel = await newChannel(world);
      return {
        as: user.userId,
        input: { channelId: channel.channelId },
        events: [inChannel('channel.joined', channel, user)],
      };
    },
  },
  {
    operation: 'joinChannel',
    situation: 'by a member',
    async prepare(world) {
      const user = await newUser(world);
      const { channelId } = await newChannel(world, { members: [user] });
      return { as: user.userId, input: { channelId } };
    },
  },
  {
    operation: 'leaveChannel',
    situation: 'by a member',
    async prepare(world) {
      const user = await newUser(world);
      const channel = await newChannel(world, { members: [user] });
      return {
        as: user.userId,
        input: { channelId: channel.channelId },
        events: [inChannel('channel.left', channel, user)],
      };
    },
  },
  {
    operation: 'leaveChannel',
    situation: 'by somebody who is no member',
    async prepare(world) {
      const { userId } = await newUser(world);
      return { as: userId, input: { channelId: (await newChannel(world)).channelId } };
    },
  },
  {
    operation: 'addChannelMembers',
    situation: 'two, and one who is a member already',
    async prepare(world) {
      const [known, ...users] = await newUsers(world, 3);
      const channel = await newChannel(world, { members: [known!] });
      return {
        input: { channelId: channel.channelId, userIds: [known!, ...users].map(({ userId }) => userId) },
        events: [inChannel('channel.membersAdded', channel, ...users)],
      };
    },
  },
  {
    operation: 'addChannelMembers',
    situation: 'one of them banned there: nobody is added',
    async prepare(world) {
      const [user, banned] = await newUsers(world, 2);
      const { channelId } = await newChannel(world);
      await world.make('alice', 'banChannelMembers', { channelId, userIds: [banned!.userId] }, 'clientMutationId');
      return { input: { channelId, userIds: [user!.userId, banned!.userId] }, code: 'BANNED' };
    },
  },
  {
    operation: 'removeChannelMembers',
    situation: 'two members',
    async prepare(world) {
      const users = await newUsers(world, 2);
      const channel = await newChannel(world, { members: users });
      return {
        input: { channelId: channel.channelId, userIds: users.map(({ userId }) => userId) },
        events: [inChannel('channel.membersRemoved', channel, ...users)],
      };
    },
  },
  {
    operation: 'removeChannelMembers',
    situation: 'one of them no member: nobody is removed',
    async prepare(world) {
      const [user, stranger] = await newUsers(world, 2);
      const { channelId } = await newChannel(world, { members: [user!] });
      return { input: { channelId, userIds: [user!.userId, stranger!.userId] }, code: 'NOT_FOUND' };
    },
  },
];
