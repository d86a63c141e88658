import { builder } from '../builder.ts';
import { restEnum } from '../shared/rest-enum.ts';

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
