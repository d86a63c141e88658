import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { type PinPlacement, PinRestPostDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';

/** The side arrays of pins (interface §4.2). */
export const PIN_ARRAYS = [
  'pinTargets',
  'pins',
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
  'polls',
];

export const pinPost = route({
  method: 'POST',
  path: '/api/v1/pinned-posts/communities/:communityId/:placement/:postId',
  section: 'interface §4.2',
  summary: 'Pin a post in its community.',
  params: z.object({ communityId: id(), placement: enumParam<PinPlacement>('PinPlacement'), postId: id() }),
  document: PinRestPostDocument,
  variables: ({ communityId, placement, postId }) => ({ input: { communityId, placement, postId } }),
  arrays: PIN_ARRAYS,
});
