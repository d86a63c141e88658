import { clearCommentFlags, flagComment, unflagComment } from '../../src/domain/comment/flag-comment.ts';
import { FlagReason } from '../shared/flag-reason.ts';
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
    resolve: async (_, { input }, context) => ({ comment: await flagComment(context, input) }),
  },
  {
    description: 'The flagged comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The flagged comment.' }) }),
  },
);

mutationField(
  'unflagComment',
  {
    description: 'Which comment.',
    inputFields: (t) => ({ commentId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's flag back; without one nothing happens.",
    resolve: async (_, { input }, context) => ({ comment: await unflagComment(context, input) }),
  },
  {
    description: 'The comment without the flag.',
    outputFields: (t) => ({
      comment: t.expose('comment', { type: Comment, description: 'The comment without the flag.' }),
    }),
  },
);

mutationField(
  'clearCommentFlags',
  {
    description: 'Which comment.',
    inputFields: (t) => ({ commentId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Takes all flags on a comment back; for whoever moderates comments there.',
    resolve: async (_, { input }, context) => ({ comment: await clearCommentFlags(context, input) }),
  },
  {
    description: 'The comment without flags.',
    outputFields: (t) => ({
      comment: t.expose('comment', { type: Comment, description: 'The comment without flags.' }),
    }),
  },
);
