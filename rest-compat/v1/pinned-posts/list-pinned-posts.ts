import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { id } from '../../params.ts';
import { route } from '../../route.ts';
import { PIN_ARRAYS } from '../../side-arrays.ts';

/** Published clients may name the only order, newest pin first: `docs/interface.md#list-pins`. */
const sortBy = z.literal('lastPinned').optional().describe('Sort order: newest pin first.');

const ofCommunity = {
  method: 'GET',
  reference: 'list-pins',
  document: operation('PinnedPosts'),
  // `communities` is the main array: a community that does not exist is a 404, one without pins is not.
  arrays: ['communities', ...PIN_ARRAYS.filter((array) => array !== 'communities')],
  required: 'Community',
} as const;

export const listPinnedPosts = [
  route({
    ...ofCommunity,
    path: '/api/v1/pinned-posts/communities/:communityId',
    summary: 'List the pinned posts of a community.',
    params: z.object({ communityId: id(), sortBy }),
    variables: ({ communityId }) => ({ communityId, placement: null }),
  }),
  route({
    ...ofCommunity,
    path: '/api/v1/pinned-posts/communities/:communityId/:placement',
    summary: 'List the pinned posts of a community in one placement.',
    params: z.object({ communityId: id(), placement: enumParam('PinPlacement'), sortBy }),
    variables: ({ communityId, placement }) => ({ communityId, placement }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/pinned-posts/global',
    reference: 'list-pins',
    summary: 'List the network-wide pinned posts.',
    params: z.object({ sortBy }),
    document: operation('NetworkPins'),
    variables: () => ({}),
    arrays: PIN_ARRAYS,
  }),
];
