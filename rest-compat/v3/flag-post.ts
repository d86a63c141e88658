import { z } from 'zod';
import { MAX_FLAG_DETAIL } from '../../src/domain/flag/flag-reason.ts';
import { enumParam } from '../enum-param.ts';
import { type FlagReason, FlagRestPostDocument } from '../generated/documents.ts';
import { id } from '../params.ts';
import { route } from '../route.ts';
import { POST_ARRAYS } from './get-post.ts';

export const flagPost = route({
  method: 'POST',
  path: '/api/v3/posts/:postId/flag',
  section: 'interface §4.3',
  summary: 'Flag a post for its moderators.',
  params: z.object({
    postId: id(),
    reason: enumParam<FlagReason>('FlagReason').nullish(),
    detail: z.string().max(MAX_FLAG_DETAIL).nullish(),
  }),
  document: FlagRestPostDocument,
  variables: ({ postId, reason, detail }) => ({ input: { postId, reason: reason ?? null, detail: detail ?? null } }),
  arrays: POST_ARRAYS,
});
