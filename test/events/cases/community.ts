import type { EventCase } from './event-case.ts';
import { channelEvent, chatOf, communityEvent, createCommunity, createUsers } from './people-fixtures.ts';

const select = 'community { communityId path }';

export const COMMUNITY_CASES: EventCase[] = [
  {
    operation: 'createCommunity',
    situation: 'with members: one event for the community and one for its chat',
    async prepare(context) {
      const users = await createUsers(context, 2);
      return {
        input: { displayName: 'An example', userIds: users.map(({ userId }) => userId) },
        select,
        events: async ({ community }) => [
          communityEvent('community.created', community),
          channelEvent('channel.created', await chatOf(context, community)),
        ],
      };
    },
  },
  {
    operation: 'createCommunity',
    situation: 'with an unknown user',
    prepare: () => ({ input: { displayName: 'An example', userIds: ['nobody-at-all'] }, code: 'NOT_FOUND' }),
  },
  {
    operation: 'updateCommunity',
    situation: 'its description, which the chat does not share',
    async prepare(context) {
      const community = await createCommunity(context);
      const input = { communityId: community.communityId, description: 'Another' };
      return { input, events: [communityEvent('community.updated', community)] };
    },
  },
  {
    operation: 'updateCommunity',
    situation: 'its name, which the chat shares',
    async prepare(context) {
      const community = await createCommunity(context);
      return {
        input: { communityId: community.communityId, displayName: 'Another' },
        events: [communityEvent('community.updated', community), channelEvent('channel.updated', community.chat)],
      };
    },
  },
  {
    operation: 'updateCommunity',
    situation: 'to the current values',
    async prepare(context) {
      const { communityId } = await createCommunity(context, { fields: { tags: ['a'] } });
      return { input: { communityId, displayName: 'An example', tags: ['a'] } };
    },
  },
  {
    operation: 'updateCommunity',
    situation: 'without permission',
    async prepare(context) {
      const { communityId } = await createCommunity(context);
      return { as: 'bob', input: { communityId, displayName: 'Mine' }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'deleteCommunity',
    situation: 'with its chat',
    async prepare(context) {
      const community = await createCommunity(context);
      return {
        input: { communityId: community.communityId },
        events: [communityEvent('community.deleted', community), channelEvent('channel.deleted', community.chat)],
      };
    },
  },
  {
    operation: 'deleteCommunity',
    situation: 'a deleted community',
    async prepare(context) {
      const { communityId } = await createCommunity(context);
      await context.mutate('alice', 'deleteCommunity', { communityId }, 'clientMutationId');
      return { input: { communityId }, code: 'NOT_FOUND' };
    },
  },
];
