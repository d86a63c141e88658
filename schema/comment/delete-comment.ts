import { deleteComment } from '../../src/domain/comment/delete-comment.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Comment } from './comment.ts';

mutationField(
  'deleteComment',
  {
    description: 'Which comment.',
    inputFields: (t) => ({
      commentId: t.string({ required: true, description: 'Public id.' }),
      permanent: t.boolean({
        description: 'Whether what it said is erased for good; needs the permission to delete comments there.',
      }),
    }),
  },
  {
    description:
      'Deletes a comment: its author does, and whoever may delete comments there. It stays in its thread without its content.',
    errors: {},
    resolve: async (_, { input }, context) => ({ comment: await deleteComment(context, input) }),
  },
  {
    description: 'The deleted comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The deleted comment.' }) }),
  },
);
