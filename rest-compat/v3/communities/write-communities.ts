import { forMutation } from '../../operation-params.ts';
import { COMMUNITY_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

const COMMUNITY = 'communities: community { ...CommunityWithViewer }';

const shared = { reference: 'write-communities', arrays: COMMUNITY_ARRAYS } as const;

export const writeCommunities = [
  route({
    ...shared,
    ...forMutation('createCommunity', COMMUNITY_AND_USERS),
    method: 'POST',
    path: '/api/v3/communities',
    summary: 'Create a community.',
  }),
  route({
    ...shared,
    ...forMutation('updateCommunity', COMMUNITY),
    method: 'PUT',
    path: '/api/v3/communities/:communityId',
    summary: 'Update a community.',
  }),
  route({
    ...shared,
    ...forMutation('deleteCommunity', COMMUNITY),
    method: 'DELETE',
    path: '/api/v3/communities/:communityId',
    summary: 'Delete a community.',
  }),
];
