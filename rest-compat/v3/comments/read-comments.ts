import { z } from 'zod';
import { GetCommentDocument, ListCommentsDocument } from '../../generated/documents.ts';
import { decodeOnceMore, id, list } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { COMMENT_ARRAYS } from './query-comments.ts';

export const getComments: Route[] = [
  route({
    method: 'GET',
    path: '/api/v3/comments/list',
    section: 'legacy-facts §7',
    summary: 'Get comments by their ids.',
    params: z.object({ commentIds: list(id(), { min: 1, max: 100 }) }),
    document: ListCommentsDocument,
    // Ids in list queries travel encoded twice (legacy-facts §1).
    variables: ({ commentIds }) => ({ commentIds: commentIds.map(decodeOnceMore) }),
    arrays: COMMENT_ARRAYS,
  }),
  route({
    method: 'GET',
    path: '/api/v3/comments/:commentId',
    section: 'legacy-facts §7',
    summary: 'Get one comment.',
    params: z.object({ commentId: id() }),
    document: GetCommentDocument,
    variables: ({ commentId }) => ({ commentId }),
    arrays: COMMENT_ARRAYS,
    required: 'Comment',
  }),
];
