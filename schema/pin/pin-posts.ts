import { pinPost } from '../../src/domain/pin/pin-post.ts';
import { unpinPost } from '../../src/domain/pin/unpin-post.ts';
import { Post } from '../post/post.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Pin, PinPlacement, PinTarget } from './pin.ts';

mutationField(
  'pinPost',
  {
    description: 'What to pin, and where.',
    inputFields: (t) => ({
      communityId: t.string({ required: true, description: 'Public id of the community.' }),
      placement: t.field({ type: PinPlacement, required: true, description: '`DEFAULT` or `ANNOUNCEMENT`.' }),
      postId: t.string({ required: true, description: 'Public id of a published parent post of that community.' }),
    }),
  },
  {
    description: 'Pins a post in its community; needs PIN_COMMUNITY_POST. At most 50 pins a placement.',
    resolve: (_, { input }, context) => pinPost(context, input),
  },
  {
    description: 'The new pin.',
    outputFields: (t) => ({
      pin: t.expose('pin', { type: Pin, description: 'The new pin.' }),
      pinTarget: t.expose('pinTarget', { type: PinTarget, description: 'The place where it is pinned.' }),
      post: t.expose('post', { type: Post, description: 'The pinned post.' }),
    }),
  },
);

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
    resolve: (_, { input }, context) => unpinPost(context, input),
  },
  {
    description: 'The pin is gone.',
    outputFields: (t) => ({
      pinTarget: t.expose('pinTarget', { type: PinTarget, description: 'The place where it was pinned.' }),
    }),
  },
);
