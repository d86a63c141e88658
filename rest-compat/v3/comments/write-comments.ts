import { omitUndefined } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { COMMENT } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'write-comments', arrays: COMMENT_ARRAYS } as const;

export const writeComments = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/comments',
    summary: 'Create a comment or a reply.',
    params: operationParams('createComment'),
    document: mutation('createComment', COMMENT),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/comments/:commentId',
    summary: 'Update a comment.',
    params: operationParams('updateComment'),
    document: mutation('updateComment', COMMENT),
    variables: (params) => ({ input: omitUndefined(params) }),
  }),
];
