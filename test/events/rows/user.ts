import { newUser, ofUser } from './people-made.ts';
import type { EventRow } from './row.ts';

export const USER_ROWS: EventRow[] = [
  {
    operation: 'updateUser',
    situation: 'another name',
    async prepare(world) {
      const user = await newUser(world);
      return { as: user.userId, input: { displayName: 'Row' }, events: [ofUser('user.updated', user)] };
    },
  },
  {
    operation: 'updateUser',
    situation: 'to what it is already',
    async prepare(world) {
      const { userId } = await newUser(world);
      const input = { displayName: 'Row', metadata: { deep: [{ one: 1 }] } };
      await world.make(userId, 'updateUser', input, 'clientMutationId');
      return { as: userId, input };
    },
  },
  {
    operation: 'updateUser',
    situation: 'somebody else without the right',
    async prepare(world) {
      const { userId } = await newUser(world);
      return { as: 'bob', input: { userId, displayName: 'Row' }, code: 'PERMISSION_DENIED' };
    },
  },
  {
    operation: 'flagUser',
    situation: 'for the first time',
    async prepare(world) {
      const user = await newUser(world);
      return { input: { userId: user.userId }, events: [ofUser('user.flagged', user)] };
    },
  },
  {
    operation: 'flagUser',
    situation: 'once more: only its reason changes',
    async prepare(world) {
      const { userId } = await newUser(world);
      await world.make('alice', 'flagUser', { userId }, 'clientMutationId');
      return { input: { userId, reason: 'OTHERS' } };
    },
  },
  {
    operation: 'unflagUser',
    situation: 'a flag that is there',
    async prepare(world) {
      const user = await newUser(world);
      await world.make('alice', 'flagUser', { userId: user.userId }, 'clientMutationId');
      return { input: { userId: user.userId }, events: [ofUser('user.unflagged', user)] };
    },
  },
  {
    operation: 'unflagUser',
    situation: 'without a flag',
    prepare: async (world) => ({ input: { userId: (await newUser(world)).userId } }),
  },
  {
    operation: 'clearUserFlags',
    situation: 'of whom two flagged',
    async prepare(world) {
      const user = await newUser(world);
      for (const as of ['alice', 'bob']) {
        await world.make(as, 'flagUser', { userId: user.userId }, 'clientMutationId');
      }
      return { as: 'admin', input: { userId: user.userId }, events: [ofUser('user.flagCleared', user)] };
    },
  },
  {
    operation: 'clearUserFlags',
    situation: 'of whom nobody flagged',
    prepare: async (world) => ({ as: 'admin', input: { userId: (await newUser(world)).userId } }),
  },
  {
    operation: 'blockUser',
    situation: 'which nobody is told',
    prepare: async (world) => ({ input: { userId: (await newUser(world)).userId } }),
  },
  {
    operation: 'unblockUser',
    situation: 'which nobody is told',
    async prepare(world) {
      const { userId } = await newUser(world);
      await world.make('alice', 'blockUser', { userId }, 'clientMutationId');
      return { input: { userId } };
    },
  },
  {
    operation: 'createConversation',
    situation: 'with whom one blocked',
    async prepare(world) {
      const { userId } = await newUser(world);
      await world.make('alice', 'blockUser', { userId }, 'clientMutationId');
      return { input: { userIds: [userId] }, code: 'FORBIDDEN' };
    },
  },
];
