import { z } from 'zod';
import { UnflagRestPostDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from './get-post.ts';

export const unflagPost = route({
  method: 'DELETE',
  path: '/api/v3/posts/:postId/unflag',
  section: 'legacy-facts §7',
  summary: "Take the caller's flag on a post back.",
  params: z.object({ postId: id() }),
  document: UnflagRestPostDocument,
  variables: ({ postId }) => ({ postId }),
  arrays: POST_ARRAYS,
});
