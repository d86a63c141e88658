import { canDeletePost, canEditPost, canModeratePosts } from '../../src/access/post.ts';
import { viewerOf } from '../../src/context.ts';
import { getPost, placeOfPost } from '../../src/domain/post/get-post.ts';
import { builder } from '../builder.ts';
import { Post } from './post.ts';

builder.objectFields(Post, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer may change it.',
    resolve: async (post, _, context) =>
      !post.isDeleted && canEditPost(viewerOf(context), post, await placeOfPost(context, post)),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer may delete it.',
    resolve: async (post, _, context) =>
      !post.isDeleted && canDeletePost(viewerOf(context), post, await placeOfPost(context, post)),
  }),
  viewerCanModerate: t.boolean({
    description: 'Whether the viewer reviews posts there and clears their flags.',
    resolve: async (post, _, context) => canModeratePosts(viewerOf(context), await placeOfPost(context, post)),
  }),
  sharedPostId: t.string({
    nullable: true,
    description: 'Public id of the post that this one shares.',
    resolve: (post) => post.sharedPostId ?? null,
  }),
  sharedPost: t.field({
    type: Post,
    nullable: true,
    description: 'The post that this one shares, while the viewer sees it.',
    resolve: (post, _, context) => (post.sharedPostId ? getPost(context, { postId: post.sharedPostId }) : null),
  }),
}));
