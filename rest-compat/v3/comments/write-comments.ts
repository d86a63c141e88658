import { z } from 'zod';
import { mentionParams, metadataParam, omitUndefined } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id, list, text } from '../../params.ts';
import { COMMENT } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

const content = {
  data: z.object({ text: text({ min: 0, max: 20_000 }).nullish() }).nullish(),
  attachments: list(z.object({ type: enumParam('CommentAttachmentType'), fileId: id() }), { max: 10 }).nullish(),
  metadata: metadataParam,
  mentionees: mentionParams,
};

const shared = { reference: 'write-comments', arrays: COMMENT_ARRAYS } as const;

export const writeComments = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/comments',
    summary: 'Create a comment or a reply.',
    params: z.object({
      referenceType: enumParam('CommentReferenceType').nullish(),
      referenceId: id(),
      parentId: id().nullish(),
      ...content,
    }),
    document: mutation('createComment', COMMENT),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/comments/:commentId',
    summary: 'Update a comment.',
    params: z.object({ commentId: id(), ...content }),
    document: mutation('updateComment', COMMENT),
    variables: (params) => ({ input: omitUndefined(params) }),
  }),
];
