import { z } from 'zod';
import { ListPostsDocument } from '../../generated/documents.ts';
import { decodeOnceMore, id, list } from '../../params.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from './get-post.ts';

export const listPosts = route({
  method: 'GET',
  path: '/api/v3/posts/list',
  section: 'legacy-facts §7',
  summary: 'Get posts by their ids.',
  params: z.object({ postIds: list(id(), { min: 1, max: 100 }) }),
  document: ListPostsDocument,
  // Ids in list queries travel encoded twice (legacy-facts §1).
  variables: ({ postIds }) => ({ postIds: postIds.map(decodeOnceMore) }),
  arrays: POST_ARRAYS,
});
