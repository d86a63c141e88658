import { commentIdInput, flagCommentInput } from '../../src/domain/comment/comment-input.ts';
import { clearCommentFlags, flagComment, unflagComment } from '../../src/domain/comment/flag-comment.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Comment } from './comment.ts';

mutationField(
  'flagComment',
  inputOf(flagCommentInput, { reason: FlagReason }),
  {
    description:
      'Flags a comment for its moderators. A user has at most one flag on a comment; flagging it again changes the reason.',
    resolve: async (_, { input }, context) => ({ comment: await flagComment(context, input) }),
    ...causes('comment.flagged'),
  },
  { outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The flagged comment.' }) }) },
);

mutationField(
  'unflagComment',
  inputOf(commentIdInput),
  {
    description: 'Withdraws the flag of the viewer on a comment. Does nothing if there is none.',
    resolve: async (_, { input }, context) => ({ comment: await unflagComment(context, input) }),
    ...causes('comment.unflagged'),
  },
  {
    outputFields: (t) => ({
      comment: t.expose('comment', { type: Comment, description: 'The comment without the flag.' }),
    }),
  },
);

mutationField(
  'clearCommentFlags',
  inputOf(commentIdInput),
  {
    description: 'Removes all flags from a comment. Allowed for moderators of comments there.',
    resolve: async (_, { input }, context) => ({ comment: await clearCommentFlags(context, input) }),
    ...causes('comment.flagsCleared'),
  },
  {
    outputFields: (t) => ({
      comment: t.expose('comment', { type: Comment, description: 'The comment without flags.' }),
    }),
  },
);
