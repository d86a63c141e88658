import { mutation } from '../../documents.ts';
import { operationParams } from '../../operation-params.ts';
import { COMMUNITY_AND_USERS } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

const COMMUNITY = 'communities: community { ...CommunityWithViewer }';

const shared = { reference: 'write-communities', arrays: COMMUNITY_ARRAYS } as const;

export const writeCommunities = [
  route({
    ...shared,
    method: 'POST',
    path: '/api/v3/communities',
    summary: 'Create a community.',
    params: operationParams('createCommunity'),
    document: mutation('createCommunity', COMMUNITY_AND_USERS),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v3/communities/:communityId',
    summary: 'Update a community.',
    params: operationParams('updateCommunity'),
    document: mutation('updateCommunity', COMMUNITY),
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/v3/communities/:communityId',
    summary: 'Delete a community.',
    params: operationParams('deleteCommunity'),
    document: mutation('deleteCommunity', COMMUNITY),
    variables: (input) => ({ input }),
  }),
];
