import { z } from 'zod';
import { operation } from '../../documents.ts';
import { decodeOnceMore, id, list } from '../../params.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from '../../side-arrays.ts';

export const readPosts = [
  route({
    method: 'GET',
    path: '/api/v3/posts/list',
    reference: 'get-post',
    summary: 'List posts by their ids.',
    params: z.object({ postIds: list(id(), { min: 1, max: 100 }) }),
    document: operation('ListPosts'),
    variables: ({ postIds }) => ({ postIds: postIds.map(decodeOnceMore) }),
    arrays: POST_ARRAYS,
  }),
  route({
    method: 'GET',
    path: '/api/v3/posts/:postId',
    reference: 'get-post',
    summary: 'Get one post.',
    params: z.object({ postId: id() }),
    document: operation('GetPost'),
    variables: ({ postId }) => ({ postId }),
    arrays: POST_ARRAYS,
    required: 'Post',
  }),
];
