import { z } from 'zod';
import { flagParams } from '../../flag-params.ts';
import { FlagRestPostDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';
import { POST_ARRAYS } from './get-post.ts';

export const flagPost = route({
  method: 'POST',
  path: '/api/v3/posts/:postId/flag',
  section: 'interface §4.3',
  summary: 'Flag a post for its moderators.',
  params: z.object({ postId: id(), ...flagParams }),
  document: FlagRestPostDocument,
  variables: ({ postId, reason, detail }) => ({ input: { postId, reason: reason ?? null, detail: detail ?? null } }),
  arrays: POST_ARRAYS,
});
