import { childrenOfPost } from '../../src/domain/post/feeds/children-of-post.ts';
import { contentFeed } from '../../src/domain/post/feeds/content-feed.ts';
import { globalFeed } from '../../src/domain/post/feeds/global-feed.ts';
import type { PostSort } from '../../src/domain/post/feeds/post-order.ts';
import { postsOfTarget } from '../../src/domain/post/feeds/posts-of-target.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { FeedTypeEnum } from '../community/feed.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { User } from '../user/user.ts';
import { Post } from './post.ts';

export const PostConnection = connectionType(Post, 'posts');
export const PostSortEnum = restEnum<PostSort>('PostSort', 'Sort order of posts.', {
  lastCreated: 'Newest first, by creation time. Default.',
  firstCreated: 'Oldest first, by creation time.',
  lastUpdated: 'Most recently updated first.',
  firstUpdated: 'Least recently updated first.',
});

export const PostFilterInput = builder.inputType('PostFilter', {
  description: 'Which posts to list.',
  fields: (t) => ({
    feedType: t.field({
      type: FeedTypeEnum,
      description:
        'Published posts, unless told. Those in review and declined ones are shown to their authors and to moderators.',
    }),
    isDeleted: t.boolean({
      defaultValue: false,
      description: 'Live posts, unless told; null for both. Deleted posts are shown to moderators only.',
    }),
    hasFlag: t.boolean({ description: 'Only flagged posts, shown to moderators only; or only those nobody flagged.' }),
    dataTypes: t.stringList({ description: 'Posts of any of these kinds: `text`, `image`, `poll` …' }),
    tags: t.stringList({ description: 'Posts with any of these tags.' }),
    parentsOnly: t.boolean({ defaultValue: true, description: 'Whether child posts are left out.' }),
  }),
});

builder.objectField(Community, 'posts', (t) =>
  t.connection(
    {
      type: Post,
      description: 'The posts of the community that the viewer sees; newest published parent posts, unless told.',
      args: {
        filter: t.arg({ type: PostFilterInput, defaultValue: {}, description: 'Which posts.' }),
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'In which order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async ({ communityId }, { filter, sortBy, ...args }, context) => {
        const target = { targetType: 'community', targetId: communityId } as const;
        return toConnection(
          await postsOfTarget(context, { ...filter, target, sort: sortBy, request: pageRequest(args) }),
        );
      },
    },
    PostConnection,
  ),
);

builder.objectField(User, 'posts', (t) =>
  t.connection(
    {
      type: Post,
      description: "The posts on the user's own feed that the viewer sees; newest published parent posts, unless told.",
      args: {
        filter: t.arg({ type: PostFilterInput, defaultValue: {}, description: 'Which posts.' }),
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'In which order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async ({ userId }, { filter, sortBy, ...args }, context) => {
        const target = { targetType: 'user', targetId: userId } as const;
        return toConnection(
          await postsOfTarget(context, { ...filter, target, sort: sortBy, request: pageRequest(args) }),
        );
      },
    },
    PostConnection,
  ),
);

builder.objectField(Post, 'children', (t) =>
  t.connection(
    {
      type: Post,
      description: 'The child posts that the viewer sees, in the order of their making.',
      resolve: async (post, args, context) => toConnection(await childrenOfPost(context, post, pageRequest(args))),
    },
    PostConnection,
  ),
);

builder.queryField('contentFeed', (t) =>
  t.connection(
    {
      type: Post,
      description: 'Published parent posts of the whole network that the viewer sees, newest first, unless told.',
      args: {
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'In which order.' }),
        hasFlag: t.arg.boolean({
          description: 'Only flagged posts where the viewer moderates; or only those nobody flagged.',
        }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description: 'Live posts, unless told; null for both. Deleted posts are shown to moderators only.',
        }),
        dataTypes: t.arg.stringList({ description: 'Posts of any of these kinds.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { sortBy, hasFlag, isDeleted, dataTypes, ...args }, context) =>
        toConnection(
          await contentFeed(context, { sort: sortBy, hasFlag, isDeleted, dataTypes, request: pageRequest(args) }),
        ),
    },
    PostConnection,
  ),
);

builder.queryField('globalFeed', (t) =>
  t.connection(
    {
      type: Post,
      description:
        "Published parent posts of the communities that the viewer joined and on the viewer's own feed, newest first.",
      args: {
        dataTypes: t.arg.stringList({ description: 'Posts of any of these kinds.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { dataTypes, ...args }, context) =>
        toConnection(await globalFeed(context, { dataTypes, request: pageRequest(args) })),
    },
    PostConnection,
  ),
);
