import { z } from 'zod';
import { mutation, operation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { COMMENT } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'flag-comment', arrays: COMMENT_ARRAYS } as const;
const params = z.object({ commentId: id() });

export const flagComment = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/comments/:commentId/flag',
    summary: 'Flag a comment for its moderators.',
    params: operationParams('flagComment'),
    document: mutation('flagComment', COMMENT),
    variables: ({ commentId, reason = null, detail = null }) => ({ input: { commentId, reason, detail } }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/comments/:commentId/unflag',
    summary: "Withdraw the caller's flag on a comment.",
    params,
    document: mutation('unflagComment', COMMENT),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/comments/:commentId/isflagbyme',
    summary: 'Whether the caller flagged a comment.',
    params,
    document: operation('IsCommentFlagged'),
    variables: ({ commentId }) => ({ commentId }),
    arrays: [],
  }),
];
