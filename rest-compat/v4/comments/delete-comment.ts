import { forMutation } from '../../operation-params.ts';
import { COMMENT } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

export const deleteComment = route({
  ...forMutation('deleteComment', COMMENT, { absentAsNull: true }),
  method: 'DELETE',
  path: '/api/v4/comments/:commentId',
  reference: 'write-comments',
  summary: 'Delete a comment.',
  arrays: COMMENT_ARRAYS,
});
