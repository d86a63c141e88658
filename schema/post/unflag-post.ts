import { unflagPost } from '../../src/domain/post/moderation/unflag-post.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'unflagPost',
  {
    description: 'Which post.',
    inputFields: (t) => ({ postId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's flag back; without one nothing happens.",
    errors: {},
    resolve: async (_, { input }, context) => ({ post: await unflagPost(context, input) }),
  },
  {
    description: 'The post without the flag.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The post without the flag.' }) }),
  },
);
