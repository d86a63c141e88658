import { newUser, ofUser } from './people-made.ts';
import type { EventRow } from './row.ts';

export const USER_MODERATION_ROWS: EventRow[] = [
  {
    operation: 'banUser',
    situation: 'from the network',
    async prepare(world) {
      const user = await newUser(world);
      return { as: 'admin', input: { userId: user.userId }, events: [ofUser('user.didGlobalBan', user)] };
    },
  },
  {
    operation: 'banUser',
    situation: 'once more',
    async prepare(world) {
      const { userId } = await newUser(world);
      await world.make('admin', 'banUser', { userId }, 'clientMutationId');
      return { as: 'admin', input: { userId } };
    },
  },
  {
    operation: 'unbanUser',
    situation: 'who is banned',
    async prepare(world) {
      const user = await newUser(world);
      await world.make('admin', 'banUser', { userId: user.userId }, 'clientMutationId');
      return { as: 'admin', input: { userId: user.userId }, events: [ofUser('user.didGlobalUnban', user)] };
    },
  },
  {
    operation: 'unbanUser',
    situation: 'who is not banned',
    prepare: async (world) => ({ as: 'admin', input: { userId: (await newUser(world)).userId }, code: 'NOT_BANNED' }),
  },
  {
    operation: 'addUserRoles',
    situation: 'that the user lacks',
    async prepare(world) {
      const user = await newUser(world);
      const input = { userId: user.userId, roleIds: ['seed-librarian'] };
      return { as: 'admin', input, events: [ofUser('user.updated', user)] };
    },
  },
  {
    operation: 'addUserRoles',
    situation: 'that the user holds',
    async prepare(world) {
      const { userId } = await newUser(world);
      const input = { userId, roleIds: ['seed-librarian'] };
      await world.make('admin', 'addUserRoles', input, 'clientMutationId');
      return { as: 'admin', input };
    },
  },
  {
    operation: 'removeUserRoles',
    situation: 'that the user holds',
    async prepare(world) {
      const user = await newUser(world);
      const input = { userId: user.userId, roleIds: ['seed-librarian'] };
      await world.make('admin', 'addUserRoles', input, 'clientMutationId');
      return { as: 'admin', input, events: [ofUser('user.updated', user)] };
    },
  },
  {
    operation: 'removeUserRoles',
    situation: 'that the user lacks',
    prepare: async (world) => ({
      as: 'admin',
      input: { userId: (await newUser(world)).userId, roleIds: ['seed-librarian'] },
    }),
  },
  {
    operation: 'assignNetworkRoles',
    situation: "without the network's key",
    prepare: async (world) => ({
      as: 'admin',
      input: { userId: (await newUser(world)).userId, roleIds: ['seed-librarian'] },
      code: 'UNAUTHORIZED',
    }),
  },
];
