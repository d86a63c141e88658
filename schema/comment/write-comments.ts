import {
  commentAttachment,
  commentData,
  createCommentInput,
  deleteCommentInput,
  updateCommentInput,
} from '../../src/domain/comment/comment-input.ts';
import { createComment } from '../../src/domain/comment/create-comment.ts';
import { deleteComment } from '../../src/domain/comment/delete-comment.ts';
import { updateComment } from '../../src/domain/comment/update-comment.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { MentionInput } from '../shared/mentions.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Comment, CommentReferenceType } from './comment.ts';

const CommentAttachmentType = restEnum('CommentAttachmentType', 'Kind of attachment of a comment.', {
  image: 'An image file.',
});

const CONTENT = {
  data: inputType('CommentDataInput', 'Content of a comment.', { schema: commentData }),
  attachments: inputType('CommentAttachmentInput', 'A file attached to a comment.', {
    schema: commentAttachment,
    types: { type: CommentAttachmentType },
  }),
  mentionees: MentionInput,
};

mutationField(
  'createComment',
  inputOf(createCommentInput, { referenceType: CommentReferenceType, ...CONTENT }),
  {
    description:
      'Comments on a post, story or content, or replies to a comment. Allowed for every user who can see the record.',
    resolve: async (_, { input }, context) => ({ comment: await createComment(context, input) }),
    ...causes('comment.created', 'comment.replied', 'story.updated'),
  },
  { outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The new comment.' }) }) },
);

mutationField(
  'updateComment',
  inputOf(updateCommentInput, CONTENT),
  {
    description:
      'Changes a comment. Omitted fields stay unchanged, null clears a field, and lists are replaced as a whole. Allowed for its author and for moderators of comments there.',
    resolve: async (_, { input }, context) => ({ comment: await updateComment(context, input) }),
    ...causes('comment.updated'),
  },
  { outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The updated comment.' }) }) },
);

mutationField(
  'deleteComment',
  inputOf(deleteCommentInput),
  {
    description:
      'Deletes a comment, which stays in its thread without content. Allowed for its author and for users with the permission to delete comments there.',
    resolve: async (_, { input }, context) => ({ comment: await deleteComment(context, input) }),
    ...causes('comment.deleted', 'story.updated'),
  },
  { outputFields: (t) => ({ comment: t.expose('comment', { type: Comment, description: 'The deleted comment.' }) }) },
);
