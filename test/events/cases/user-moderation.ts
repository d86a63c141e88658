import type { EventCase } from './event-case.ts';
import { createUser, userEvent } from './people-fixtures.ts';

export const USER_MODERATION_CASES: EventCase[] = [
  {
    operation: 'banUser',
    situation: 'from the network',
    async prepare(context) {
      const user = await createUser(context);
      return { as: 'admin', input: { userId: user.userId }, events: [userEvent('user.didGlobalBan', user)] };
    },
  },
  {
    operation: 'banUser',
    situation: 'again',
    async prepare(context) {
      const { userId } = await createUser(context);
      await context.mutate('admin', 'banUser', { userId }, 'clientMutationId');
      return { as: 'admin', input: { userId } };
    },
  },
  {
    operation: 'unbanUser',
    situation: 'a banned user',
    async prepare(context) {
      const user = await createUser(context);
      await context.mutate('admin', 'banUser', { userId: user.userId }, 'clientMutationId');
      return { as: 'admin', input: { userId: user.userId }, events: [userEvent('user.didGlobalUnban', user)] };
    },
  },
  {
    operation: 'unbanUser',
    situation: 'a user who is not banned',
    prepare: async (context) => ({
      as: 'admin',
      input: { userId: (await createUser(context)).userId },
      code: 'NOT_BANNED',
    }),
  },
  {
    operation: 'addUserRoles',
    situation: 'that the user lacks',
    async prepare(context) {
      const user = await createUser(context);
      const input = { userId: user.userId, roleIds: ['seed-librarian'] };
      return { as: 'admin', input, events: [userEvent('user.updated', user)] };
    },
  },
  {
    operation: 'addUserRoles',
    situation: 'that the user has',
    async prepare(context) {
      const { userId } = await createUser(context);
      const input = { userId, roleIds: ['seed-librarian'] };
      await context.mutate('admin', 'addUserRoles', input, 'clientMutationId');
      return { as: 'admin', input };
    },
  },
  {
    operation: 'removeUserRoles',
    situation: 'that the user has',
    async prepare(context) {
      const user = await createUser(context);
      const input = { userId: user.userId, roleIds: ['seed-librarian'] };
      await context.mutate('admin', 'addUserRoles', input, 'clientMutationId');
      return { as: 'admin', input, events: [userEvent('user.updated', user)] };
    },
  },
  {
    operation: 'removeUserRoles',
    situation: 'that the user lacks',
    prepare: async (context) => ({
      as: 'admin',
      input: { userId: (await createUser(context)).userId, roleIds: ['seed-librarian'] },
    }),
  },
  {
    operation: 'assignNetworkRoles',
    situation: "without the network's key",
    prepare: async (context) => ({
      as: 'admin',
      input: { userId: (await createUser(context)).userId, roleIds: ['seed-librarian'] },
      code: 'UNAUTHORIZED',
    }),
  },
];
