import { flagPost } from '../../src/domain/post/moderation/flag-post.ts';
import { FlagReason } from '../flag/flag-reason.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Post } from './post.ts';

mutationField(
  'flagPost',
  {
    description: 'Which post, and why.',
    inputFields: (t) => ({
      postId: t.string({ required: true, description: 'Public id.' }),
      reason: t.field({ type: FlagReason, description: 'Why; `OTHERS` unless told.' }),
      detail: t.string({ description: 'Why in words, at most 300 characters.' }),
    }),
  },
  {
    description: 'Tells the moderators of a post. One flag a user: a repeat changes the reason.',
    errors: {},
    resolve: async (_, { input }, context) => ({ post: await flagPost(context, input) }),
  },
  {
    description: 'The flagged post.',
    outputFields: (t) => ({ post: t.expose('post', { type: Post, description: 'The flagged post.' }) }),
  },
);
