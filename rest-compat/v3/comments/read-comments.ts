import { z } from 'zod';
import { operation } from '../../documents.ts';
import { decodeOnceMore, id, list } from '../../params.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

export const readComments = [
  route({
    method: 'GET',
    path: '/api/v3/comments/list',
    reference: 'get-comment',
    summary: 'List comments by their ids.',
    params: z.object({ commentIds: list(id(), { min: 1, max: 100 }) }),
    document: operation('ListComments'),
    variables: ({ commentIds }) => ({ commentIds: commentIds.map(decodeOnceMore) }),
    arrays: COMMENT_ARRAYS,
  }),
  route({
    method: 'GET',
    path: '/api/v3/comments/:commentId',
    reference: 'get-comment',
    summary: 'Get one comment.',
    params: z.object({ commentId: id() }),
    document: operation('GetComment'),
    variables: ({ commentId }) => ({ commentId }),
    arrays: COMMENT_ARRAYS,
    required: 'Comment',
  }),
];
