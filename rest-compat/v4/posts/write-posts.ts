import { forMutation } from '../../operation-params.ts';
import { POST } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'write-posts', arrays: POST_ARRAYS } as const;

export const writePosts = [
  route({
    ...shared,
    ...forMutation('createPost', POST),
    method: 'POST',
    path: '/api/v4/posts',
    summary: 'Create a post.',
  }),
  route({
    ...shared,
    ...forMutation('updatePost', POST),
    method: 'PUT',
    path: '/api/v4/posts/:postId',
    summary: 'Update a post.',
  }),
  route({
    ...shared,
    ...forMutation('deletePost', POST, { absentAsNull: true }),
    method: 'DELETE',
    path: '/api/v4/posts/:postId',
    summary: 'Delete a post.',
  }),
];
