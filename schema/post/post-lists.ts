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
  description: 'Filter of posts.',
  fields: (t) => ({
    feedType: t.field({
      type: FeedTypeEnum,
      description:
        'Publication state of the posts; published by default. Posts in review and declined posts are visible to their authors and to moderators.',
    }),
    isDeleted: t.boolean({
      defaultValue: false,
      description:
        'Whether to list deleted posts (true), existing ones (false, default) or both (null). Deleted posts are visible to moderators.',
    }),
    hasFlag: t.boolean({
      description:
        'Whether to list flagged posts (true), which are visible to moderators, or unflagged posts (false). Default: both.',
    }),
    dataTypes: t.stringList({ description: 'Only posts of these kinds, such as `image` or `poll`, at most 20.' }),
    tags: t.stringList({ description: 'Only posts with at least one of these tags, at most 20.' }),
    parentsOnly: t.boolean({ defaultValue: true, description: 'Whether to omit child posts.' }),
  }),
});

builder.objectField(Community, 'posts', (t) =>
  t.connection(
    {
      type: Post,
      description: 'Posts of the community visible to the viewer; by default published parent posts, newest first.',
      args: {
        filter: t.arg({ type: PostFilterInput, defaultValue: {}, description: 'Filter of the posts.' }),
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'Sort order.' }),
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
      description:
        'Posts on the feed of the user visible to the viewer; by default published parent posts, newest first.',
      args: {
        filter: t.arg({ type: PostFilterInput, defaultValue: {}, description: 'Filter of the posts.' }),
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'Sort order.' }),
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
      description: 'Child posts visible to the viewer, in the order of their creation.',
      resolve: async (post, args, context) => toConnection(await childrenOfPost(context, post, pageRequest(args))),
    },
    PostConnection,
  ),
);

builder.queryField('contentFeed', (t) =>
  t.connection(
    {
      type: Post,
      description: 'Published parent posts of the network visible to the viewer; newest first by default.',
      args: {
        sortBy: t.arg({ type: PostSortEnum, defaultValue: 'lastCreated', description: 'Sort order.' }),
        hasFlag: t.arg.boolean({
          description:
            'Whether to list flagged posts that the viewer can moderate (true) or unflagged posts (false). Default: both.',
        }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether to list deleted posts (true), existing ones (false, default) or both (null). Deleted posts are visible to moderators.',
        }),
        dataTypes: t.arg.stringList({
          description: 'Only posts of these kinds, such as `image` or `poll`, at most 20.',
        }),
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
        'Published parent posts of the communities of the viewer and on the feed of the viewer, newest first.',
      args: {
        dataTypes: t.arg.stringList({
          description: 'Only posts of these kinds, such as `image` or `poll`, at most 20.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { dataTypes, ...args }, context) =>
        toConnection(await globalFeed(context, { dataTypes, request: pageRequest(args) })),
    },
    PostConnection,
  ),
);
