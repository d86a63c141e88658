import { updateComment } from '../../src/domain/comment/update-comment.ts';
import { MentionInput } from '../shared/mentions.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Comment } from './comment.ts';
import { CommentAttachmentInput, CommentDataInput } from './comment-input.ts';

mutationField(
  'updateComment',
  {
    description: 'Which comment, and what changes. What is left out stays; null clears.',
    inputFields: (t) => ({
      commentId: t.string({ required: true, description: 'Public id.' }),
      data: t.field({ type: CommentDataInput, description: 'What it says.' }),
      attachments: t.field({ type: [CommentAttachmentInput], description: 'All its pictures from now on.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data in place of what was there.' }),
      mentionees: t.field({ type: [MentionInput], description: 'All who are mentioned from now on.' }),
    }),
  },
  {
    description: 'Changes a comment: its author does, and whoever moderates comments there.',
    errors: {},
    resolve: async (_, { input }, context) => ({ comment: await updateComment(context, input) }),
  },
  {
    description: 'The changed comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The changed comment.' }) }),
  },
);
