import { BAN_TERMS, forMutation } from '../../operation-params.ts';
import { COMMUNITY_AND_USERS, COMMUNITY_USERS_AND_VIEWER, JOIN_REQUEST_AND_COMMUNITY } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'community-membership', arrays: COMMUNITY_ARRAYS } as const;

export const changeCommunityMembers = [
  route({
    ...shared,
    ...forMutation('joinCommunity', JOIN_REQUEST_AND_COMMUNITY),
    method: 'POST',
    path: '/api/v3/communities/:communityId/join',
    summary: 'Join a community, or create a join request if it requires approval.',
  }),
  route({
    ...shared,
    ...forMutation('leaveCommunity', COMMUNITY_AND_USERS),
    method: 'DELETE',
    path: '/api/v3/communities/:communityId/leave',
    summary: 'Leave a community.',
  }),
  route({
    ...shared,
    ...forMutation('addCommunityMembers', COMMUNITY_USERS_AND_VIEWER),
    method: 'POST',
    path: '/api/v3/communities/:communityId/users',
    summary: 'Add users to a community.',
  }),
  route({
    ...shared,
    ...forMutation('removeCommunityMembers', COMMUNITY_USERS_AND_VIEWER),
    method: 'DELETE',
    path: '/api/v3/communities/:communityId/users',
    summary: 'Remove members from a community.',
  }),
  route({
    ...shared,
    ...forMutation('banCommunityMembers', COMMUNITY_USERS_AND_VIEWER, { without: BAN_TERMS }),
    method: 'PUT',
    path: '/api/v3/communities/:communityId/users/ban',
    summary: 'Ban users from a community.',
  }),
  route({
    ...shared,
    ...forMutation('unbanCommunityMembers', COMMUNITY_USERS_AND_VIEWER),
    method: 'PUT',
    path: '/api/v3/communities/:communityId/users/unban',
    summary: 'Unban users from a community.',
  }),
];
