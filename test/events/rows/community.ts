import { chatOf, newCommunity, newUsers, ofChannel, ofCommunity } from './people-made.ts';
import type { EventRow } from './row.ts';

const select = 'community { communityId path }';

export const COMMUNITY_ROWS: EventRow[] = [
  {
    operation: 'createCommunity',
    situation: 'with members: it and its chat come with them',
    async prepare(world) {
      const users = await newUsers(world, 2);
      return {
        input: { displayName: 'A row', userIds: users.map(({ userId }) => userId) },
        select,
        events: async ({ community }) => [
          ofCommunity('community.created', community),
          ofChannel('channel.created', await chatOf(world, community)),
        ],
      };
    },
  },
  {
    operation: 'createCommunity',
    situation: 'with somebody who is not there',
    prepare: () => ({ input: { displayName: 'A row', userIds: ['nobody-at-all'] }, code: 'NOT_FOUND' }),
  },
  {
    operation: 'updateCommunity',
    situation: 'what the chat does not have from it',
    async prepare(world) {
      const community = await newCommunity(world);
      const input = { communityId: community.communityId, description: 'Another' };
      return { input, events: [ofCommunity('community.updated', community)] };
    },
  },
  {
    operation: 'updateCommunity',
    situation: 'its name, which is that of its chat',
    async prepare(world) {
      const community = await newCommunity(world);
      return {
        input: { communityId: community.communityId, displayName: 'Another' },
        events: [ofCommunity('community.updated', community), ofChannel('channel.updated', community.chat)],
      };
    },
  },
  {
    operation: 'updateCommunity',
    situation: 'to what it is already',
    async prepare(world) {
      const { communityId } = await newCommunity(world, { fields: { tags: ['a'] } });
      return { input: { communityId, displayName: 'A row', tags: ['a'] } };
    },
  },
  {
    operation: 'updateCommunity',
    situation: 'without the right',
    async prepare(world) {
      const { communityId } = await newCommunity(world);
      return { as: 'bob', input: { communityId, displayName: 'Mine' }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteCommunity',
    situation: 'its chat goes with it',
    async prepare(world) {
      const community = await newCommunity(world);
      return {
        input: { communityId: community.communityId },
        events: [ofCommunity('community.deleted', community), ofChannel('channel.deleted', community.chat)],
      };
    },
  },
  {
    operation: 'deleteCommunity',
    situation: 'that is deleted',
    async prepare(world) {
      const { communityId } = await newCommunity(world);
      await world.make('alice', 'deleteCommunity', { communityId }, 'clientMutationId');
      return { input: { communityId }, code: 'NOT_FOUND' };
    },
  },
];
