import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { COMMENT } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'flag-comment', arrays: COMMENT_ARRAYS } as const;

export const flagComment = [
  route({
    ...shared,
    ...forMutation('flagComment', COMMENT, { absentAsNull: true }),
    method: 'POST',
    path: '/api/v3/comments/:commentId/flag',
    summary: 'Flag a comment for its moderators.',
  }),
  route({
    ...shared,
    ...forMutation('unflagComment', COMMENT),
    method: 'DELETE',
    path: '/api/v3/comments/:commentId/unflag',
    summary: 'Withdraw the flag of the viewer on a comment.',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/comments/:commentId/isflagbyme',
    summary: 'Get whether the viewer has flagged a comment.',
    params: z.object({ commentId: id() }),
    document: operation('IsCommentFlagged'),
    variables: ({ commentId }) => ({ commentId }),
    arrays: [],
  }),
];
