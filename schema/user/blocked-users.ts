import { isBlockedByViewer } from '../../src/domain/user/blocks/blocks.ts';
import { listBlockedUsers } from '../../src/domain/user/blocks/list-blocked-users.ts';
import { builder } from '../builder.ts';
import { pageRequest } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { toPeopleConnection } from './people-connection.ts';
import { User } from './user.ts';
import { UserConnection } from './users.ts';

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
