import { approvePost, declinePost } from '../../src/domain/post/moderation/review-post.ts';
import { postIdInput } from '../../src/domain/post/post-input.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'approvePost',
  inputOf(postIdInput),
  {
    description: 'Publishes a post in review. Allowed for moderators of posts there.',
    resolve: async (_, { input }, context) => ({ post: await approvePost(context, input) }),
    ...causes('post.approved', 'mention-post.created'),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The published post.' }) }) },
);

mutationField(
  'declinePost',
  inputOf(postIdInput),
  {
    description: 'Declines a post in review. Allowed for moderators of posts there.',
    resolve: async (_, { input }, context) => ({ post: await declinePost(context, input) }),
    ...causes('post.declined'),
  },
  { outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The declined post.' }) }) },
);
