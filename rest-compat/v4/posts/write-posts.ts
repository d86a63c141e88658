import { omitUndefined } from '../../content-params.ts';
import { mutation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { POST } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'write-posts', arrays: POST_ARRAYS } as const;

export const writePosts = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v4/posts',
    summary: 'Create a post.',
    params: operationParams('createPost'),
    document: mutation('createPost', POST),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v4/posts/:postId',
    summary: 'Update a post.',
    params: operationParams('updatePost'),
    document: mutation('updatePost', POST),
    variables: (params) => ({ input: omitUndefined(params) }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v4/posts/:postId',
    summary: 'Delete a post.',
    params: operationParams('deletePost'),
    document: mutation('deletePost', POST),
    variables: ({ postId, permanent = null }) => ({ input: { postId, permanent } }),
  }),
];
