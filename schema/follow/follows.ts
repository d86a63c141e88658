import { listFollows } from '../../src/domain/user/follows/list-follows.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { User } from '../user/user.ts';
import { Follow } from './follow.ts';

const FollowConnection = connectionType(Follow, 'follows');
const FollowFilter = restEnum('FollowFilter', 'Filter of follows by status.', {
  all: 'Accepted follows, and requests if they are visible to the viewer. Default.',
  pending: 'Requests, visible to the user of the list and to users who can edit users.',
  accepted: 'Accepted follows.',
  blocked: 'Users whom the viewer blocked; only in the list of the users whom the viewer follows.',
});

const PRIVATE = 'In a network with private profiles, empty for users who do not follow the user, except moderators.';

for (const [direction, description] of [
  ['followers', `Followers of the user, newest first. ${PRIVATE}`],
  ['following', `Users whom the user follows, newest first. ${PRIVATE}`],
] as const) {
  builder.objectField(User, direction, (t) =>
    t.connection(
      {
        type: Follow,
        description,
        args: {
          status: t.arg({
            type: FollowFilter,
            required: true,
            defaultValue: 'all',
            description: 'Filter of the follows.',
          }),
          skip: t.arg.int({ description: SKIP }),
        },
        resolve: async (user, { status, ...args }, context) =>
          toConnection(
            await listFollows(context, {
              user,
              direction,
              status: status === 'all' ? null : status,
              request: pageRequest(args),
            }),
          ),
      },
      FollowConnection,
    ),
  );
}
