import { createComment } from '../../src/domain/comment/create-comment.ts';
import { deleteComment } from '../../src/domain/comment/delete-comment.ts';
import { updateComment } from '../../src/domain/comment/update-comment.ts';
import { builder } from '../builder.ts';
import { MentionInput } from '../shared/mentions.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Comment, CommentReferenceType } from './comment.ts';

const CommentAttachmentType = restEnum('CommentAttachmentType', 'Kind of attachment of a comment.', {
  image: 'An image file.',
});

export const CommentAttachmentInput = builder.inputType('CommentAttachmentInput', {
  description: 'A file that hangs on a comment.',
  fields: (t) => ({
    type: t.field({ type: CommentAttachmentType, required: true, description: 'What it holds.' }),
    fileId: t.string({ required: true, description: 'Public id of a file of the viewer.' }),
  }),
});

export const CommentDataInput = builder.inputType('CommentDataInput', {
  description: 'What a comment says.',
  fields: (t) => ({ text: t.string({ description: 'Text, at most 20,000 characters.' }) }),
});

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
    resolve: async (_, { input }, context) => ({ comment: await createComment(context, input) }),
  },
  {
    description: 'The new comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The new comment.' }) }),
  },
);

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
    resolve: async (_, { input }, context) => ({ comment: await updateComment(context, input) }),
  },
  {
    description: 'The changed comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The changed comment.' }) }),
  },
);

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
    resolve: async (_, { input }, context) => ({ comment: await deleteComment(context, input) }),
  },
  {
    description: 'The deleted comment.',
    outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The deleted comment.' }) }),
  },
);
