import { postViewers, storyViewers } from '../../src/domain/view/list-viewers.ts';
import { builder } from '../builder.ts';
import { pageRequest } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { toPeopleConnection } from '../user/people-connection.ts';
import { User } from '../user/user.ts';
import { UserConnection } from '../user/users.ts';

builder.queryFields((t) => ({
  postViewers: t.connection(
    {
      type: User,
      description:
        'Who saw a post, the newest viewer first; for its author and those who moderate posts there. An error when it is absent or not to be seen.',
      args: {
        postId: t.arg.string({ required: true, description: 'Public id.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { postId, ...args }, context) =>
        toPeopleConnection(await postViewers(context, { postId, request: pageRequest(args) })),
    },
    UserConnection,
  ),
  storyViewers: t.connection(
    {
      type: User,
      description:
        'Who saw a story, the newest viewer first; for its creator and those who manage stories there. An error when it is absent or not to be seen.',
      args: {
        storyId: t.arg.string({ required: true, description: 'Public id.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { storyId, ...args }, context) =>
        toPeopleConnection(await storyViewers(context, { storyId, request: pageRequest(args) })),
    },
    UserConnection,
  ),
}));
