import { blockUser, unblockUser } from '../../src/domain/user/blocks/block-user.ts';
import { isBlockedByViewer } from '../../src/domain/user/blocks/blocks.ts';
import { listBlockedUsers } from '../../src/domain/user/blocks/list-blocked-users.ts';
import { builder } from '../builder.ts';
import { pageRequest } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { toPeopleConnection } from './people-connection.ts';
import { User } from './user.ts';
import { UserConnection } from './users.ts';

mutationField(
  'blockUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description:
      'Blocks a user: the two open no conversation and write in none of theirs, mention each other no more, and take no part on each other’s feeds. The viewer’s lists leave out what the other wrote. At most 1,000.',
    resolve: async (_, { input }, context) => ({ user: await blockUser(context, input) }),
  },
  {
    description: 'The blocked user.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

mutationField(
  'unblockUser',
  {
    description: 'Which user.',
    inputFields: (t) => ({ userId: t.string({ required: true, description: 'Public id of the user.' }) }),
  },
  {
    description: "Takes the viewer's block on a user back.",
    resolve: async (_, { input }, context) => ({ user: await unblockUser(context, input) }),
  },
  {
    description: 'The user without the block.',
    outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The user.' }) }),
  },
);

builder.objectField(User, 'isBlockedByViewer', (t) =>
  t.boolean({
    description: 'Whether the viewer blocked the user.',
    resolve: (user, _, context) => isBlockedByViewer(context, user),
  }),
);

builder.queryField('viewerBlockedUsers', (t) =>
  t.connection(
    {
      type: User,
      description: 'Whom the viewer blocked, the latest first.',
      args: { skip: t.arg.int({ description: SKIP }) },
      resolve: async (_, args, context) => {
        const page = await listBlockedUsers(context, { request: pageRequest(args) });
        const users = await Promise.all(
          page.records.map(({ blockedUserId }) => context.load.users.load(blockedUserId)),
        );
        return toPeopleConnection({ page, users });
      },
    },
    UserConnection,
  ),
);
