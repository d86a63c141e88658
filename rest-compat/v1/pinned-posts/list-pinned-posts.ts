import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import { NetworkPinsDocument, PinnedPostsDocument, type PinPlacement } from '../../generated/documents.ts';
import { id } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { PIN_ARRAYS } from './pin-post.ts';

/** The only order there is, newest pin first; published clients may name it (legacy-facts §3). */
const sortBy = z.literal('lastPinned').optional();

const ofCommunity = {
  method: 'GET',
  section: 'legacy-facts §3',
  document: PinnedPostsDocument,
  // The community leads: without it there is nothing to answer.
  arrays: ['communities', ...PIN_ARRAYS.filter((array) => array !== 'communities')],
  required: 'Community',
} as const;

export const pinnedPosts: Route[] = [
  route({
    ...ofCommunity,
    path: '/api/v1/pinned-posts/communities/:communityId',
    summary: 'List what is pinned in a community.',
    params: z.object({ communityId: id(), sortBy }),
    variables: ({ communityId }) => ({ communityId, placement: null }),
  }),
  route({
    ...ofCommunity,
    path: '/api/v1/pinned-posts/communities/:communityId/:placement',
    summary: 'List what is pinned in one placement of a community.',
    params: z.object({ communityId: id(), placement: enumParam<PinPlacement>('PinPlacement'), sortBy }),
    variables: ({ communityId, placement }) => ({ communityId, placement }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/pinned-posts/global',
    section: 'legacy-facts §3',
    summary: 'List what is pinned for the whole network.',
    params: z.object({ sortBy }),
    document: NetworkPinsDocument,
    variables: () => ({}),
    arrays: PIN_ARRAYS,
  }),
];
