import { newChannel, newCommunity, newUser, newUsers, ofChannel } from './people-made.ts';
import type { EventRow } from './row.ts';

const select = 'channel { channelId path }';

export const CHANNEL_ROWS: EventRow[] = [
  {
    operation: 'createChannel',
    situation: 'with members: they and its first feed come with it',
    async prepare(world) {
      const userIds = (await newUsers(world, 2)).map(({ userId }) => userId);
      return {
        input: { displayName: 'A row', userIds },
        select,
        events: ({ channel }) => [ofChannel('channel.created', channel)],
      };
    },
  },
  {
    operation: 'createChannel',
    situation: 'under an id that is taken, which the transaction finds out',
    async prepare(world) {
      const { channelId } = await newChannel(world);
      return { input: { channelId, displayName: 'Another' }, code: 'DUPLICATE' };
    },
  },
  {
    operation: 'createConversation',
    situation: 'for the first time',
    prepare: async (world) => ({
      input: { userIds: [(await newUser(world)).userId] },
      select,
      events: ({ channel }) => [ofChannel('channel.created', channel)],
    }),
  },
  {
    operation: 'createConversation',
    situation: 'that is there already',
    async prepare(world) {
      const input = { userIds: [(await newUser(world)).userId] };
      await world.make('alice', 'createConversation', input, 'clientMutationId');
      return { input };
    },
  },
  {
    operation: 'updateChannel',
    situation: 'its tags',
    async prepare(world) {
      const channel = await newChannel(world);
      return {
        input: { channelId: channel.channelId, tags: ['row'] },
        events: [ofChannel('channel.updated', channel)],
      };
    },
  },
  {
    operation: 'updateChannel',
    situation: 'to what it is already',
    async prepare(world) {
      const { channelId } = await newChannel(world, { fields: { tags: ['row'] } });
      return { input: { channelId, displayName: 'A row', tags: ['row'] } };
    },
  },
  {
    operation: 'updateChannel',
    situation: 'without the right',
    async prepare(world) {
      const user = await newUser(world);
      const { channelId } = await newChannel(world, { members: [user] });
      return { as: user.userId, input: { channelId, tags: ['mine'] }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'muteChannel',
    situation: 'for good',
    async prepare(world) {
      const channel = await newChannel(world);
      return {
        input: { channelId: channel.channelId, mutePeriod: -1 },
        events: [ofChannel('channel.setMuted', channel)],
      };
    },
  },
  {
    operation: 'muteChannel',
    situation: 'no longer',
    async prepare(world) {
      const channel = await newChannel(world);
      const { channelId } = channel;
      await world.make('alice', 'muteChannel', { channelId, mutePeriod: -1 }, 'clientMutationId');
      return { input: { channelId, mutePeriod: 0 }, events: [ofChannel('channel.setMuted', channel)] };
    },
  },
  {
    operation: 'muteChannel',
    situation: 'no longer, when it is not muted',
    prepare: async (world) => ({ input: { channelId: (await newChannel(world)).channelId, mutePeriod: 0 } }),
  },
  {
    operation: 'setChannelRateLimit',
    situation: 'to another limit',
    async prepare(world) {
      const channel = await newChannel(world);
      return {
        input: { channelId: channel.channelId, rateLimit: 5 },
        events: [ofChannel('channel.updated', channel)],
      };
    },
  },
  {
    operation: 'setChannelRateLimit',
    situation: 'to the limit it has',
    async prepare(world) {
      const { channelId } = await newChannel(world);
      await world.make('alice', 'setChannelRateLimit', { channelId, rateLimit: 5 }, 'clientMutationId');
      return { input: { channelId, rateLimit: 5 } };
    },
  },
  {
    operation: 'deleteChannel',
    situation: 'that stands for itself',
    async prepare(world) {
      const channel = await newChannel(world);
      return { input: { channelId: channel.channelId }, events: [ofChannel('channel.deleted', channel)] };
    },
  },
  {
    operation: 'deleteChannel',
    situation: 'of a community, with which alone it goes',
    async prepare(world) {
      const { chat } = await newCommunity(world);
      return { input: { channelId: chat.channelId }, code: 'BAD_REQUEST' };
    },
  },
];
