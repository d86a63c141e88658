import { clearPostFlags } from '../../src/domain/post/moderation/clear-post-flags.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'clearPostFlags',
  {
    description: 'Which post.',
    inputFields: (t) => ({ postId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Takes all flags on a post back; for whoever moderates posts there.',
    errors: {},
    resolve: async (_, { input }, context) => ({ post: await clearPostFlags(context, input) }),
  },
  {
    description: 'The post without flags.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The post without flags.' }) }),
  },
);
