import { getUser } from '../../src/domain/user/get-user.ts';
import { listUsers } from '../../src/domain/user/list-users.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { MAX_IDS, recordsByIds } from '../shared/ids.ts';
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
        keyword: t.arg.string({ description: 'Occurs in the name.' }),
        filter: t.arg({ type: UserFilter, required: true, defaultValue: 'all', description: 'Which users.' }),
        sortBy: t.arg({ type: UserSort, required: true, defaultValue: 'displayName', description: 'The order.' }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Deleted accounts only, live ones only, or both (null); deleted ones are for whoever edits users.',
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
    description: 'The users behind public ids that the viewer sees, in the order asked.',
    args: { userIds: t.arg.stringList({ required: true, description: `Public ids, ${MAX_IDS} at most.` }) },
    resolve: (_, { userIds }, context) => recordsByIds(userIds, (userId) => getUser(context, { userId })),
  }),
);
