import { inChannel, newChannel, newUser, newUsers, userOf } from './people-made.ts';
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
  {
    operation: 'banChannelMembers',
    situation: 'a member, one who is none, and one who is banned already',
    async prepare(world) {
      const [user, stranger, banned] = await newUsers(world, 3);
      const channel = await newChannel(world, { members: [user!] });
      const { channelId } = channel;
      await world.make('alice', 'banChannelMembers', { channelId, userIds: [banned!.userId] }, 'clientMutationId');
      return {
        input: { channelId, userIds: [user!, stranger!, banned!].map(({ userId }) => userId) },
        events: [inChannel('channel.banned', channel, user!, stranger!)],
      };
    },
  },
  {
    operation: 'unbanChannelMembers',
    situation: 'one who is banned, and one who is not',
    async prepare(world) {
      const [banned, member] = await newUsers(world, 2);
      const channel = await newChannel(world, { members: [member!] });
      const { channelId } = channel;
      await world.make('alice', 'banChannelMembers', { channelId, userIds: [banned!.userId] }, 'clientMutationId');
      return {
        input: { channelId, userIds: [banned!.userId, member!.userId] },
        events: [inChannel('channel.unbanned', channel, banned!)],
      };
    },
  },
  {
    operation: 'unbanChannelMembers',
    situation: 'nobody who is banned',
    async prepare(world) {
      const user = await newUser(world);
      const { channelId } = await newChannel(world, { members: [user] });
      return { input: { channelId, userIds: [user.userId] } };
    },
  },
  {
    operation: 'muteChannelMembers',
    situation: 'one for good, who is muted so already, and another',
    async prepare(world) {
      const [muted, user] = await newUsers(world, 2);
      const channel = await newChannel(world, { members: [muted!, user!] });
      const mute = { channelId: channel.channelId, mutePeriod: -1 };
      await world.make('alice', 'muteChannelMembers', { ...mute, userIds: [muted!.userId] }, 'clientMutationId');
      return {
        input: { ...mute, userIds: [muted!.userId, user!.userId] },
        events: [inChannel('channel.setMutedUsers', channel, user!)],
      };
    },
  },
  {
    operation: 'muteChannelMembers',
    situation: 'one of them no member: nobody is muted',
    async prepare(world) {
      const [user, stranger] = await newUsers(world, 2);
      const { channelId } = await newChannel(world, { members: [user!] });
      const input = { channelId, userIds: [user!.userId, stranger!.userId], mutePeriod: -1 };
      return { input, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'addChannelRole',
    situation: 'that one of two holds',
    async prepare(world) {
      const user = await newUser(world);
      const channel = await newChannel(world, { members: [user] });
      return {
        input: { channelId: channel.channelId, role: 'channel-moderator', userIds: ['alice', user.userId] },
        events: [inChannel('channel.roleAdded', channel, user)],
      };
    },
  },
  {
    operation: 'addChannelRole',
    situation: 'that everybody named holds',
    async prepare(world) {
      const { channelId } = await newChannel(world);
      return { input: { channelId, role: 'channel-moderator', userIds: ['alice'] } };
    },
  },
  {
    operation: 'removeChannelRole',
    situation: 'that is held',
    async prepare(world) {
      const channel = await newChannel(world);
      return {
        input: { channelId: channel.channelId, role: 'channel-moderator', userIds: ['alice'] },
        events: [inChannel('channel.roleRemoved', channel, await userOf(world.gateway, 'alice'))],
      };
    },
  },
  {
    operation: 'removeChannelRole',
    situation: 'of somebody who is no member',
    async prepare(world) {
      const { channelId } = await newChannel(world);
      const { userId } = await newUser(world);
      return { input: { channelId, role: 'channel-moderator', userIds: [userId] }, code: 'NOT_FOUND' };
    },
  },
];
