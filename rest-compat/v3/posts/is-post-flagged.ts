import { z } from 'zod';
import { IsPostFlaggedDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

export const isPostFlagged = route({
  method: 'GET',
  path: '/api/v3/posts/:postId/isflagbyme',
  section: 'legacy-facts §7',
  summary: 'Whether the caller flagged a post.',
  params: z.object({ postId: id() }),
  document: IsPostFlaggedDocument,
  variables: ({ postId }) => ({ postId }),
  arrays: [],
});
