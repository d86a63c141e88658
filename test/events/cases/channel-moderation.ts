import type { EventCase } from './event-case.ts';
import { channelUsersEvent, createChannel, createUser, createUsers, userOf } from './people-fixtures.ts';

export const CHANNEL_MODERATION_CASES: EventCase[] = [
  {
    operation: 'banChannelMembers',
    situation: 'a member, a non-member and a banned user',
    async prepare(context) {
      const [user, stranger, banned] = await createUsers(context, 3);
      const channel = await createChannel(context, { members: [user!] });
      const { channelId } = channel;
      await context.mutate('alice', 'banChannelMembers', { channelId, userIds: [banned!.userId] }, 'clientMutationId');
      return {
        input: { channelId, userIds: [user!, stranger!, banned!].map(({ userId }) => userId) },
        events: [channelUsersEvent('channel.banned', channel, user!, stranger!)],
      };
    },
  },
  {
    operation: 'unbanChannelMembers',
    situation: 'a banned user and a member',
    async prepare(context) {
      const [banned, member] = await createUsers(context, 2);
      const channel = await createChannel(context, { members: [member!] });
      const { channelId } = channel;
      await context.mutate('alice', 'banChannelMembers', { channelId, userIds: [banned!.userId] }, 'clientMutationId');
      return {
        input: { channelId, userIds: [banned!.userId, member!.userId] },
        events: [channelUsersEvent('channel.unbanned', channel, banned!)],
      };
    },
  },
  {
    operation: 'unbanChannelMembers',
    situation: 'a member who is not banned',
    async prepare(context) {
      const user = await createUser(context);
      const { channelId } = await createChannel(context, { members: [user] });
      return { input: { channelId, userIds: [user.userId] } };
    },
  },
  {
    operation: 'muteChannelMembers',
    situation: 'permanently, a muted member and another member',
    async prepare(context) {
      const [muted, user] = await createUsers(context, 2);
      const channel = await createChannel(context, { members: [muted!, user!] });
      const mute = { channelId: channel.channelId, mutePeriod: -1 };
      await context.mutate('alice', 'muteChannelMembers', { ...mute, userIds: [muted!.userId] }, 'clientMutationId');
      return {
        input: { ...mute, userIds: [muted!.userId, user!.userId] },
        events: [channelUsersEvent('channel.setMutedUsers', channel, user!)],
      };
    },
  },
  {
    operation: 'muteChannelMembers',
    situation: 'one of two users is not a member: none is muted',
    async prepare(context) {
      const [user, stranger] = await createUsers(context, 2);
      const { channelId } = await createChannel(context, { members: [user!] });
      const input = { channelId, userIds: [user!.userId, stranger!.userId], mutePeriod: -1 };
      return { input, code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'addChannelRole',
    situation: 'of two users, one of whom has it already',
    async prepare(context) {
      const user = await createUser(context);
      const channel = await createChannel(context, { members: [user] });
      return {
        input: { channelId: channel.channelId, role: 'channel-moderator', userIds: ['alice', user.userId] },
        events: [channelUsersEvent('channel.roleAdded', channel, user)],
      };
    },
  },
  {
    operation: 'addChannelRole',
    situation: 'that all users have already',
    async prepare(context) {
      const { channelId } = await createChannel(context);
      return { input: { channelId, role: 'channel-moderator', userIds: ['alice'] } };
    },
  },
  {
    operation: 'removeChannelRole',
    situation: 'that the user has',
    async prepare(context) {
      const channel = await createChannel(context);
      return {
        input: { channelId: channel.channelId, role: 'channel-moderator', userIds: ['alice'] },
        events: [channelUsersEvent('channel.roleRemoved', channel, await userOf(context.gateway, 'alice'))],
      };
    },
  },
  {
    operation: 'removeChannelRole',
    situation: 'of a user who is not a member',
    async prepare(context) {
      const { channelId } = await createChannel(context);
      const { userId } = await createUser(context);
      return { input: { channelId, role: 'channel-moderator', userIds: [userId] }, code: 'NOT_FOUND' };
    },
  },
];
