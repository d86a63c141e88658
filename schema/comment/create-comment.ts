import { createComment } from '../../src/domain/comment/create-comment.ts';
import { MentionInput } from '../shared/mentions.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Comment, CommentReferenceType } from './comment.ts';
import { CommentAttachmentInput, CommentDataInput } from './comment-input.ts';

mutationField(
  'createComment',
  {
    description: 'What to comment on, and what to say.',
    inputFields: (t) => ({
      referenceType: t.field({ type: CommentReferenceType, description: 'What it refers to; a post unless told.' }),
      referenceId: t.string({ required: true, description: 'Public id of what it refers to.' }),
      parentId: t.string({ description: 'The comment there that this one replies to.' }),
      data: t.field({ type: CommentDataInput, description: 'What it says; needed unless pictures hang on it.' }),
      attachments: t.field({ type: [CommentAttachmentInput], description: 'Pictures, 10 at most.' }),
      metadata: t.field({ type: 'JSONObject', description: 'Free-form data of the application, 64 KiB at most.' }),
      mentionees: t.field({ type: [MentionInput], description: 'Who is mentioned.' }),
    }),
  },
  {
    description: 'Comments on a post, story or content, or replies to a comment. Whoever sees it may comment.',
    errors: {},
    resolve: async (_, { input }, context) => ({ comment: await createComment(context, input) }),
  },
  {
    description: 'The new comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The new comment.' }) }),
  },
);
