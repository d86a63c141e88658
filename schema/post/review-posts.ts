import { approvePost, declinePost } from '../../src/domain/post/moderation/review-post.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'approvePost',
  {
    description: 'Which post.',
    inputFields: (t) => ({ postId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Publishes a post that waits for review; for whoever moderates posts there.',
    resolve: async (_, { input }, context) => ({ post: await approvePost(context, input) }),
  },
  {
    description: 'The published post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The published post.' }) }),
  },
);

mutationField(
  'declinePost',
  {
    description: 'Which post.',
    inputFields: (t) => ({ postId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Declines a post that waits for review; for whoever moderates posts there.',
    resolve: async (_, { input }, context) => ({ post: await declinePost(context, input) }),
  },
  {
    description: 'The declined post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The declined post.' }) }),
  },
);
