import { inChannel, newChannel, newUser, newUsers, userOf } from './people-made.ts';
import type { EventRow } from './row.ts';

export const CHANNEL_MODERATION_ROWS: EventRow[] = [
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
