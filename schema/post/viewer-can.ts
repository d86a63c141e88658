import { canPinPosts } from '../../src/access/pin.ts';
import { canDeletePost, canModeratePosts, refusalToPost } from '../../src/access/post.ts';
import { viewerOf } from '../../src/context.ts';
import { getPost, placeOfPost } from '../../src/domain/post/get-post.ts';
import { unpinnableReason } from '../../src/domain/post/pins/pin-post.ts';
import { refusalToEdit } from '../../src/domain/post/update-post.ts';
import { whenLoaded } from '../../src/lib/maybe-promise.ts';
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
    resolve: (post, _, context) =>
      !post.isDeleted &&
      whenLoaded(placeOfPost(context, post), (place) => canDeletePost(viewerOf(context), post, place)),
  }),
  viewerCanModerate: t.boolean({
    description: 'Whether the viewer can review posts there and clear their flags.',
    resolve: (post, _, context) =>
      whenLoaded(placeOfPost(context, post), (place) => canModeratePosts(viewerOf(context), place)),
  }),
  viewerCanPin: t.boolean({
    description: 'Whether the viewer can pin it in its community.',
    resolve: (post, _, context) =>
      unpinnableReason(post) === null &&
      whenLoaded(placeOfPost(context, post), (place) => canPinPosts(viewerOf(context), place)),
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
    resolve: (community, _, context) => {
      const { communityId: targetId, isDeleted } = community;
      const viewer = viewerOf(context);
      return whenLoaded(
        context.load.communityUsers.load([targetId, viewer.userId]),
        (membership) => !isDeleted && !refusalToPost(viewer, { place: { community, membership }, targetId }).refusal,
      );
    },
  }),
);
