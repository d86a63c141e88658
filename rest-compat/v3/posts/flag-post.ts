import { z } from 'zod';
import { operation } from '../../documents.ts';
import { forMutation } from '../../operation-params.ts';
import { id } from '../../params.ts';
import { POST } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'flag-post', arrays: POST_ARRAYS } as const;

export const flagPost = [
  route({
    ...shared,
    ...forMutation('flagPost', POST, { absentAsNull: true }),
    method: 'POST',
    path: '/api/v3/posts/:postId/flag',
    summary: 'Flag a post for its moderators.',
  }),
  route({
    ...shared,
    ...forMutation('unflagPost', POST),
    method: 'DELETE',
    path: '/api/v3/posts/:postId/unflag',
    summary: 'Withdraw the flag of the viewer on a post.',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v3/posts/:postId/isflagbyme',
    summary: 'Get whether the viewer has flagged a post.',
    params: z.object({ postId: id() }),
    document: operation('IsPostFlagged'),
    variables: ({ postId }) => ({ postId }),
    arrays: [],
  }),
];
