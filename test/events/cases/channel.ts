import type { EventCase } from './event-case.ts';
import { channelEvent, createChannel, createCommunity, createUser, createUsers } from './people-fixtures.ts';

const select = 'channel { channelId path }';

export const CHANNEL_CASES: EventCase[] = [
  {
    operation: 'createChannel',
    situation: 'with members: one event for the channel, its members and its feed',
    async prepare(context) {
      const userIds = (await createUsers(context, 2)).map(({ userId }) => userId);
      return {
        input: { displayName: 'An example', userIds },
        select,
        events: ({ channel }) => [channelEvent('channel.created', channel)],
      };
    },
  },
  {
    operation: 'createChannel',
    situation: 'with an id that is taken: fails in the transaction',
    async prepare(context) {
      const { channelId } = await createChannel(context);
      return { input: { channelId, displayName: 'Another' }, code: 'DUPLICATE' };
    },
  },
  {
    operation: 'createConversation',
    situation: 'for the first time',
    prepare: async (context) => ({
      input: { userIds: [(await createUser(context)).userId] },
      select,
      events: ({ channel }) => [channelEvent('channel.created', channel)],
    }),
  },
  {
    operation: 'createConversation',
    situation: 'that exists already',
    async prepare(context) {
      const input = { userIds: [(await createUser(context)).userId] };
      await context.mutate('alice', 'createConversation', input, 'clientMutationId');
      return { input };
    },
  },
  {
    operation: 'updateChannel',
    situation: 'its tags',
    async prepare(context) {
      const channel = await createChannel(context);
      return {
        input: { channelId: channel.channelId, tags: ['example'] },
        events: [channelEvent('channel.updated', channel)],
      };
    },
  },
  {
    operation: 'updateChannel',
    situation: 'to the current values',
    async prepare(context) {
      const { channelId } = await createChannel(context, { fields: { tags: ['example'] } });
      return { input: { channelId, displayName: 'An example', tags: ['example'] } };
    },
  },
  {
    operation: 'updateChannel',
    situation: 'without permission',
    async prepare(context) {
      const user = await createUser(context);
      const { channelId } = await createChannel(context, { members: [user] });
      return { as: user.userId, input: { channelId, tags: ['mine'] }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'muteChannel',
    situation: 'permanently',
    async prepare(context) {
      const channel = await createChannel(context);
      return {
        input: { channelId: channel.channelId, mutePeriod: -1 },
        events: [channelEvent('channel.setMuted', channel)],
      };
    },
  },
  {
    operation: 'muteChannel',
    situation: 'unmute',
    async prepare(context) {
      const channel = await createChannel(context);
      const { channelId } = channel;
      await context.mutate('alice', 'muteChannel', { channelId, mutePeriod: -1 }, 'clientMutationId');
      return { input: { channelId, mutePeriod: 0 }, events: [channelEvent('channel.setMuted', channel)] };
    },
  },
  {
    operation: 'muteChannel',
    situation: 'unmute, while it is not muted',
    prepare: async (context) => ({ input: { channelId: (await createChannel(context)).channelId, mutePeriod: 0 } }),
  },
  {
    operation: 'setChannelRateLimit',
    situation: 'to a new limit',
    async prepare(context) {
      const channel = await createChannel(context);
      return {
        input: { channelId: channel.channelId, rateLimit: 5 },
        events: [channelEvent('channel.updated', channel)],
      };
    },
  },
  {
    operation: 'setChannelRateLimit',
    situation: 'to the current limit',
    async prepare(context) {
      const { channelId } = await createChannel(context);
      await context.mutate('alice', 'setChannelRateLimit', { channelId, rateLimit: 5 }, 'clientMutationId');
      return { input: { channelId, rateLimit: 5 } };
    },
  },
  {
    operation: 'deleteChannel',
    situation: 'a channel without a community',
    async prepare(context) {
      const channel = await createChannel(context);
      return { input: { channelId: channel.channelId }, events: [channelEvent('channel.deleted', channel)] };
    },
  },
  {
    operation: 'deleteChannel',
    situation: 'the chat of a community',
    async prepare(context) {
      const { chat } = await createCommunity(context);
      return { input: { channelId: chat.channelId }, code: 'BAD_REQUEST' };
    },
  },
];
