import { viewerOf } from '../../src/context.ts';
import { blockUser, unblockUser } from '../../src/domain/user/blocks/block-user.ts';
import { isBlockedByViewer } from '../../src/domain/user/blocks/blocks.ts';
import { listBlockedUsers } from '../../src/domain/user/blocks/list-blocked-users.ts';
import { userIdInput } from '../../src/domain/user/user-id-input.ts';
import { builder } from '../builder.ts';
import { pageRequest } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { toPeopleConnection } from './people-connection.ts';
import { User } from './user.ts';
import { UserConnection } from './users.ts';

mutationField(
  'blockUser',
  inputOf(userIdInput),
  {
    description:
      'Blocks a user: neither can create a conversation with the other, write in a common one, mention or follow the other, or interact on the feed of the other. Their follows of each other end. Lists of the viewer omit content of the blocked user. `BLOCK_LIMIT` if the viewer has blocked 1,000 users already.',
    resolve: async (_, { input }, context) => ({ user: await blockUser(context, input) }),
    ...causes('follow.unfollowed', 'follow.requestCanceled', 'follow.followerDeleted', 'follow.requestDeclined'),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The blocked user.' }) }) },
);

mutationField(
  'unblockUser',
  inputOf(userIdInput),
  {
    description: 'Removes the block of the viewer from a user.',
    resolve: async (_, { input }, context) => ({ user: await unblockUser(context, input) }),
  },
  { outputFields: (t) => ({ user: t.expose('user', { type: User, description: 'The unblocked user.' }) }) },
);

builder.objectField(User, 'isBlockedByViewer', (t) =>
  t.boolean({
    description: 'Whether the viewer has blocked the user.',
    resolve: (user, _, context) => isBlockedByViewer(context, user),
  }),
);

builder.queryField('viewerBlockedUserCount', (t) =>
  t.int({
    description: 'Number of users whom the viewer blocked, deleted accounts included.',
    resolve: async (_, _args, context) => (await context.load.users.load(viewerOf(context).userId))?.blockCount ?? 0,
  }),
);

builder.queryField('viewerBlockedUsers', (t) =>
  t.connection(
    {
      type: User,
      description: 'Users whom the viewer blocked, newest block first.',
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
