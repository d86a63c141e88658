import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';
import { PIN_ARRAYS } from '../../side-arrays.ts';

const params = z.object({ communityId: id(), placement: enumParam('PinPlacement'), postId: id() });

const shared = {
  path: '/api/v1/pinned-posts/communities/:communityId/:placement/:postId',
  reference: 'pin-post',
  params,
  variables: (input: z.output<typeof params>) => ({ input }),
  arrays: PIN_ARRAYS,
};

export const pinPost = [
  route({
    ...shared,
    method: 'POST',
    summary: 'Pin a post in its community.',
    document: mutation(
      'pinPost',
      'pinTarget { ...PinTargetRecord } pin { ...PinRecord users: pinner { ...UserWithAvatar } } posts: post { ...PostInList }',
    ),
  }),
  route({
    ...shared,
    method: 'DELETE',
    summary: 'Unpin a post.',
    document: mutation('unpinPost', 'pinTarget { ...PinTargetRecord }'),
  }),
];
