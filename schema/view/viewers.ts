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
        'Users who viewed a post, newest view first. Allowed for its author and for moderators of posts there. `NOT_FOUND` if the post does not exist or the viewer cannot see it.',
      args: {
        postId: t.arg.string({ required: true, description: 'Public id of the post.' }),
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
        'Users who viewed a story, newest view first. Allowed for its creator and for users with the permission to manage stories there. `NOT_FOUND` if the story does not exist or the viewer cannot see it.',
      args: {
        storyId: t.arg.string({ required: true, description: 'Public id of the story.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { storyId, ...args }, context) =>
        toPeopleConnection(await storyViewers(context, { storyId, request: pageRequest(args) })),
    },
    UserConnection,
  ),
}));
