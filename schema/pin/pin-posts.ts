import { pinPost, pinPostInput } from '../../src/domain/post/pins/pin-post.ts';
import { unpinPost } from '../../src/domain/post/pins/unpin-post.ts';
import { Post } from '../post/post.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Pin, PinPlacement, PinTarget } from './pin.ts';

mutationField(
  'pinPost',
  inputOf(pinPostInput, { placement: PinPlacement }),
  {
    description:
      'Pins a published parent post in its community, which can have 50 pins per placement. Requires PIN_COMMUNITY_POST.',
    resolve: (_, { input }, context) => pinPost(context, input),
    ...causes('post.pinned'),
  },
  {
    outputFields: (t) => ({
      pin: t.expose('pin', { type: Pin, description: 'The new pin.' }),
      pinTarget: t.expose('pinTarget', { type: PinTarget, description: 'The place in which the post is pinned.' }),
      post: t.expose('post', { type: Post, description: 'The pinned post.' }),
    }),
  },
);

mutationField(
  'unpinPost',
  inputOf(pinPostInput, { placement: PinPlacement }),
  {
    description: 'Removes a pin. Requires PIN_COMMUNITY_POST.',
    resolve: (_, { input }, context) => unpinPost(context, input),
    ...causes('post.unpinned'),
  },
  {
    outputFields: (t) => ({
      pinTarget: t.expose('pinTarget', { type: PinTarget, description: 'The place in which the post was pinned.' }),
    }),
  },
);
