import { postsByIds, queryPosts } from '../../src/domain/post/feeds/query-posts.ts';
import { OperationError } from '../../src/errors.ts';
import { builder } from '../builder.ts';
import { FeedTargetType } from '../community/feed.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { Post } from './post.ts';
import { PostConnection, PostFilterInput, PostSortEnum } from './post-lists.ts';

const MAX_IDS = 100;

builder.queryFields((t) => ({
  posts: t.connection(
    {
      type: Post,
      description:
        "The posts of a community or on a user's own feed that the viewer sees; newest published parent posts, unless told.",
      args: {
        targetType: t.arg({ type: FeedTargetType, required: true, description: 'Whose posts.' }),
        targetId: t.arg.string({ required: true, description: 'Public id of the community or user.' }),
        filter: t.arg({ type: PostFilterInput, defaultValue: {}, description: 'Which posts.' }),
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'In which order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { targetType, targetId, filter, sortBy, ...args }, context) => {
        const target = { targetType, targetId };
        return toConnection(await queryPosts(context, { ...filter, target, sort: sortBy, request: pageRequest(args) }));
      },
    },
    PostConnection,
  ),
  postsByIds: t.field({
    type: [Post],
    description: 'The posts behind public ids that the viewer sees, in the order asked.',
    args: { postIds: t.arg.stringList({ required: true, description: `Public ids, ${MAX_IDS} at most.` }) },
    resolve: (_, { postIds }, context) => {
      if (postIds.length > MAX_IDS)
        throw new OperationError('INVALID_PARAMETERS', { detail: [`postIds: at most ${MAX_IDS}`] });
      return postsByIds(context, { postIds });
    },
  }),
}));
