import { forMutation } from '../../operation-params.ts';
import { COMMENT } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'write-comments', arrays: COMMENT_ARRAYS } as const;

export const writeComments = [
  route({
    ...shared,
    ...forMutation('createComment', COMMENT),
    method: 'POST',
    path: '/api/v3/comments',
    summary: 'Create a comment or a reply.',
  }),
  route({
    ...shared,
    ...forMutation('updateComment', COMMENT),
    method: 'PUT',
    path: '/api/v3/comments/:commentId',
    summary: 'Update a comment.',
  }),
];
