import type { EventCase } from './event-case.ts';
import { createUser, userEvent } from './people-fixtures.ts';

export const USER_CASES: EventCase[] = [
  {
    operation: 'updateUser',
    situation: 'the display name',
    async prepare(context) {
      const user = await createUser(context);
      return { as: user.userId, input: { displayName: 'Example' }, events: [userEvent('user.updated', user)] };
    },
  },
  {
    operation: 'updateUser',
    situation: 'to the current values',
    async prepare(context) {
      const { userId } = await createUser(context);
      const input = { displayName: 'Example', metadata: { deep: [{ one: 1 }] } };
      await context.mutate(userId, 'updateUser', input, 'clientMutationId');
      return { as: userId, input };
    },
  },
  {
    operation: 'updateUser',
    situation: 'another user, without permission',
    async prepare(context) {
      const { userId } = await createUser(context);
      return { as: 'bob', input: { userId, displayName: 'Example' }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'flagUser',
    situation: 'for the first time',
    async prepare(context) {
      const user = await createUser(context);
      return { input: { userId: user.userId }, events: [userEvent('user.flagged', user)] };
    },
  },
  {
    operation: 'flagUser',
    situation: 'again: only the reason changes',
    async prepare(context) {
      const { userId } = await createUser(context);
      await context.mutate('alice', 'flagUser', { userId }, 'clientMutationId');
      return { input: { userId, reason: 'OTHERS' } };
    },
  },
  {
    operation: 'unflagUser',
    situation: 'an existing flag',
    async prepare(context) {
      const user = await createUser(context);
      await context.mutate('alice', 'flagUser', { userId: user.userId }, 'clientMutationId');
      return { input: { userId: user.userId }, events: [userEvent('user.unflagged', user)] };
    },
  },
  {
    operation: 'unflagUser',
    situation: 'without a flag',
    prepare: async (context) => ({ input: { userId: (await createUser(context)).userId } }),
  },
  {
    operation: 'clearUserFlags',
    situation: 'of a user whom two users flagged',
    async prepare(context) {
      const user = await createUser(context);
      for (const as of ['alice', 'bob']) {
        await context.mutate(as, 'flagUser', { userId: user.userId }, 'clientMutationId');
      }
      return { as: 'admin', input: { userId: user.userId }, events: [userEvent('user.flagCleared', user)] };
    },
  },
  {
    operation: 'clearUserFlags',
    situation: 'of a user without flags',
    prepare: async (context) => ({ as: 'admin', input: { userId: (await createUser(context)).userId } }),
  },
  {
    operation: 'blockUser',
    situation: 'private to the blocking user',
    prepare: async (context) => ({ input: { userId: (await createUser(context)).userId } }),
  },
  {
    operation: 'unblockUser',
    situation: 'private to the blocking user',
    async prepare(context) {
      const { userId } = await createUser(context);
      await context.mutate('alice', 'blockUser', { userId }, 'clientMutationId');
      return { input: { userId } };
    },
  },
  {
    operation: 'createConversation',
    situation: 'with a blocked user',
    async prepare(context) {
      const { userId } = await createUser(context);
      await context.mutate('alice', 'blockUser', { userId }, 'clientMutationId');
      return { input: { userIds: [userId] }, code: 'FORBIDDEN' };
    },
  },
];
