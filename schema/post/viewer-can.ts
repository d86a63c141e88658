import { canPinPosts } from '../../src/access/pin.ts';
import { canDeletePost, canModeratePosts, refusalToPost } from '../../src/access/post.ts';
import { viewerOf } from '../../src/context.ts';
import { getPost, placeOfPost } from '../../src/domain/post/get-post.ts';
import { unpinnableReason } from '../../src/domain/post/pins/pin-post.ts';
import { refusalToEdit } from '../../src/domain/post/update-post.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { Post } from './post.ts';

builder.objectFields(Post, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update it.',
    resolve: async (post, _, context) => !post.isDeleted && (await refusalToEdit(context, post)) === null,
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: async (post, _, context) =>
      !post.isDeleted && canDeletePost(viewerOf(context), post, await placeOfPost(context, post)),
  }),
  viewerCanModerate: t.boolean({
    description: 'Whether the viewer can review posts there and clear their flags.',
    resolve: async (post, _, context) => canModeratePosts(viewerOf(context), await placeOfPost(context, post)),
  }),
  viewerCanPin: t.boolean({
    description: 'Whether the viewer can pin it in its community.',
    resolve: async (post, _, context) =>
      unpinnableReason(post) === null && canPinPosts(viewerOf(context), await placeOfPost(context, post)),
  }),
  viewerCanComment: t.boolean({
    description: 'Whether the viewer can comment on it and react to it.',
    resolve: ({ isDeleted, feedType }) => !isDeleted && feedType === 'published',
  }),
  sharedPostId: t.string({
    nullable: true,
    description: 'Public id of the shared post.',
    resolve: (post) => post.sharedPostId ?? null,
  }),
  sharedPost: t.field({
    type: Post,
    nullable: true,
    description: 'The shared post; null if the viewer cannot see it.',
    resolve: (post, _, context) => (post.sharedPostId ? getPost(context, { postId: post.sharedPostId }) : null),
  }),
}));

builder.objectField(Community, 'viewerCanPost', (t) =>
  t.boolean({
    description: 'Whether the viewer can post in the community.',
    resolve: async (community, _, context) => {
      const { communityId: targetId, isDeleted } = community;
      const membership = await context.load.communityUsers.load([targetId, viewerOf(context).userId]);
      return !isDeleted && !refusalToPost(viewerOf(context), { place: { community, membership }, targetId }).refusal;
    },
  }),
);
