import { unpinPost } from '../../src/domain/pin/unpin-post.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { PinPlacement, PinTarget } from './pin.ts';

mutationField(
  'unpinPost',
  {
    description: 'Which pin to take back.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      placement: t.field({ type: PinPlacement, required: true, description: '`DEFAULT` or `ANNOUNCEMENT`.' }),
      postId: t.string({ required: true, description: 'Public id of the post.' }),
    }),
  },
  {
    description: 'Takes a pin back; needs PIN_COMMUNITY_POST.',
    errors: {},
    resolve: (_, { input }, context) => unpinPost(context, input),
  },
  {
    description: 'The pin is gone.',
    outputFields: (t) => ({
      pinTarget: t.expose('pinTarget', { type: PinTarget, description: 'The place where it was pinned.' }),
    }),
  },
);
