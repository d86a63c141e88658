import { postsByIds, queryPosts } from '../../src/domain/post/feeds/query-posts.ts';
import { MAX_IDS } from '../../src/domain/records-by-ids.ts';
import { builder } from '../builder.ts';
import { FeedTargetType } from '../community/feed.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { Post } from './post.ts';
import { PostConnection, PostFilterInput, PostSortEnum } from './post-lists.ts';

builder.queryFields((t) => ({
  posts: t.connection(
    {
      type: Post,
      description:
        'Posts of a community or on the feed of a user visible to the viewer; by default published parent posts, newest first.',
      args: {
        targetType: t.arg({ type: FeedTargetType, required: true, description: 'Kind of place of the posts.' }),
        targetId: t.arg.string({ required: true, description: 'Public id of the community or user.' }),
        filter: t.arg({ type: PostFilterInput, defaultValue: {}, description: 'Filter of the posts.' }),
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'Sort order.' }),
        sources: t.arg({
          type: [FeedTargetType],
          description:
            'Of a user: posts on their feed (`USER`, default), posts that they wrote in communities (`COMMUNITY`), or both. Ignored for communities.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { targetType, targetId, filter, sortBy, sources, ...args }, context) => {
        const target = { targetType, targetId };
        return toConnection(
          await queryPosts(context, { ...filter, target, sources, sort: sortBy, request: pageRequest(args) }),
        );
      },
    },
    PostConnection,
  ),
  postsByIds: t.field({
    type: [Post],
    description: 'Posts by their public ids, in the order of the ids. Posts that the viewer cannot see are omitted.',
    args: { postIds: t.arg.stringList({ required: true, description: `Public ids of posts, at most ${MAX_IDS}.` }) },
    resolve: (_, args, context) => postsByIds(context, args),
  }),
}));
