import { unflagComment } from '../../src/domain/comment/flag-comment.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Comment } from './comment.ts';

mutationField(
  'unflagComment',
  {
    description: 'Which comment.',
    inputFields: (t) => ({ commentId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's flag back; without one nothing happens.",
    errors: {},
    resolve: async (_, { input }, context) => ({ comment: await unflagComment(context, input) }),
  },
  {
    description: 'The comment without the flag.',
    outputFields: (t) => ({
      comment: t.expose('comment', { type: Comment, description: 'The comment without the flag.' }),
    }),
  },
);
