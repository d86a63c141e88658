import { z } from 'zod';
import { permanentParam } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { id } from '../../params.ts';
import { COMMENT } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

export const deleteComment = route({
  method: 'DELETE',
  path: '/api/v4/comments/:commentId',
  reference: 'write-comments',
  summary: 'Delete a comment.',
  params: z.object({ commentId: id(), permanent: permanentParam }),
  document: mutation('deleteComment', COMMENT),
  variables: ({ commentId, permanent }) => ({ input: { commentId, permanent: permanent ?? null } }),
  arrays: COMMENT_ARRAYS,
});
