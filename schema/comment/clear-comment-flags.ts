import { clearCommentFlags } from '../../src/domain/comment/flag-comment.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Comment } from './comment.ts';

mutationField(
  'clearCommentFlags',
  {
    description: 'Which comment.',
    inputFields: (t) => ({ commentId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Takes all flags on a comment back; for whoever moderates comments there.',
    errors: {},
    resolve: async (_, { input }, context) => ({ comment: await clearCommentFlags(context, input) }),
  },
  {
    description: 'The comment without flags.',
    outputFields: (t) => ({
      comment: t.expose('comment', { type: Comment, description: 'The comment without flags.' }),
    }),
  },
);
