import { forMutation } from '../../operation-params.ts';
import { route } from '../../route.ts';
import { PIN_ARRAYS } from '../../side-arrays.ts';

const shared = {
  path: '/api/v1/pinned-posts/communities/:communityId/:placement/:postId',
  reference: 'pin-post',
  arrays: PIN_ARRAYS,
};

export const pinPost = [
  route({
    ...shared,
    ...forMutation(
      'pinPost',
      'pinTarget { ...PinTargetRecord } pin { ...PinRecord users: pinner { ...UserWithAvatar } } posts: post { ...PostInList }',
    ),
    method: 'POST',
    summary: 'Pin a post in its community.',
  }),
  route({
    ...shared,
    ...forMutation('unpinPost', 'pinTarget { ...PinTargetRecord }'),
    method: 'DELETE',
    summary: 'Unpin a post.',
  }),
];
