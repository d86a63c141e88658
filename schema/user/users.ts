import { MAX_IDS, recordsByIds } from '../../src/domain/records-by-ids.ts';
import { getUser } from '../../src/domain/user/get-user.ts';
import { listUsers } from '../../src/domain/user/list-users.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { User } from './user.ts';

export const UserConnection = connectionType(User, 'users');
const UserFilter = restEnum('UserFilter', 'Filter of users by flags.', {
  all: 'All users visible to the viewer. Default.',
  flagged: 'Users with at least one flag.',
});
const UserSort = restEnum('UserSort', 'Sort order of users.', {
  displayName: 'By display name, in ascending order. Default.',
  firstCreated: 'Oldest account first.',
  lastCreated: 'Newest account first.',
});

builder.queryField('users', (t) =>
  t.connection(
    {
      type: User,
      description: 'The users of the network.',
      args: {
        keyword: t.arg.string({
          description: 'Only records whose display name contains this text, at most 900 characters.',
        }),
        filter: t.arg({ type: UserFilter, required: true, defaultValue: 'all', description: 'Filter of the users.' }),
        sortBy: t.arg({ type: UserSort, required: true, defaultValue: 'displayName', description: 'Sort order.' }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether to list deleted accounts (true), existing ones (false, default) or both (null). Deleted accounts are visible to users who can edit users.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, args, context) =>
        toConnection(await listUsers(context, { ...args, request: pageRequest(args) })),
    },
    UserConnection,
  ),
);

builder.queryField('usersByIds', (t) =>
  t.field({
    type: [User],
    description: 'Users by their public ids, in the order of the ids. Users that the viewer cannot see are omitted.',
    args: { userIds: t.arg.stringList({ required: true, description: `Public ids of users, at most ${MAX_IDS}.` }) },
    resolve: (_, { userIds }, context) =>
      recordsByIds(userIds, { name: 'userIds' }, (userId) => getUser(context, { userId })),
  }),
);
