import { z } from 'zod';
import { mutation, operation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { POST } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'flag-post', arrays: POST_ARRAYS } as const;
const params = z.object({ postId: id() });

export const flagPost = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/posts/:postId/flag',
    summary: 'Flag a post for its moderators.',
    params: operationParams('flagPost'),
    document: mutation('flagPost', POST),
    variables: ({ postId, reason = null, detail = null }) => ({ input: { postId, reason, detail } }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/posts/:postId/unflag',
    summary: "Withdraw the caller's flag on a post.",
    params,
    document: mutation('unflagPost', POST),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/posts/:postId/isflagbyme',
    summary: 'Whether the caller flagged a post.',
    params,
    document: operation('IsPostFlagged'),
    variables: ({ postId }) => ({ postId }),
    arrays: [],
  }),
];
