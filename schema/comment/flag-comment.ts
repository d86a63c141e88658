import { flagComment } from '../../src/domain/comment/flag-comment.ts';
import { FlagReason } from '../flag/flag-reason.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Comment } from './comment.ts';

mutationField(
  'flagComment',
  {
    description: 'Which comment, and why.',
    inputFields: (t) => ({
      commentId: t.string({ required: true, description: 'Public id.' }),
      reason: t.field({ type: FlagReason, description: 'Why; `OTHERS` unless told.' }),
      detail: t.string({ description: 'Why in words, at most 300 characters.' }),
    }),
  },
  {
    description: 'Tells the moderators of a comment. One flag a user: a repeat changes the reason.',
    errors: {},
    resolve: async (_, { input }, context) => ({ comment: await flagComment(context, input) }),
  },
  {
    description: 'The flagged comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The flagged comment.' }) }),
  },
);
