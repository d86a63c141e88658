import { deletePost } from '../../src/domain/post/delete-post.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'deletePost',
  {
    description: 'Which post.',
    inputFields: (t) => ({
      postId: t.string({ required: true, description: 'Public id.' }),
      permanent: t.boolean({
        description: 'Whether what it said is erased for good; needs the permission to delete posts there.',
      }),
    }),
  },
  {
    description: 'Deletes a post with its child posts and pins: its author does, and whoever may delete posts there.',
    errors: {},
    resolve: async (_, { input }, context) => ({ post: await deletePost(context, input) }),
  },
  {
    description: 'The deleted post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The deleted post.' }) }),
  },
);
