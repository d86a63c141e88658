import { z } from 'zod';
import { GetPostDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

/** The side arrays of one post (interface §4.3). */
export const POST_ARRAYS = [
  'posts',
  'postChildren',
  'comments',
  'users',
  'files',
  'communities',
  'communityUsers',
  'categories',
  'feeds',
  'videoStreamings',
  'videoStreamingChildren',
  'rooms',
  'roomChildrens',
  'polls',
];

export const getPost = route({
  method: 'GET',
  path: '/api/v3/posts/:postId',
  section: 'interface §4.3',
  summary: 'Get one post.',
  params: z.object({ postId: id() }),
  document: GetPostDocument,
  variables: ({ postId }) => ({ postId }),
  arrays: POST_ARRAYS,
  required: 'Post',
});
