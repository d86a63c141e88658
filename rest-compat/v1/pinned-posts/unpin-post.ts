import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { type PinPlacement, UnpinRestPostDocument } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';
import { PIN_ARRAYS } from './pin-post.ts';

export const unpinPost = route({
  method: 'DELETE',
  path: '/api/v1/pinned-posts/communities/:communityId/:placement/:postId',
  section: 'interface §4.2',
  summary: 'Take a pin back.',
  params: z.object({ communityId: id(), placement: enumParam<PinPlacement>('PinPlacement'), postId: id() }),
  document: UnpinRestPostDocument,
  variables: ({ communityId, placement, postId }) => ({ input: { communityId, placement, postId } }),
  arrays: PIN_ARRAYS,
});
