import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, list } from '../../params.ts';
import { COMMUNITY_AND_USERS, JOIN_REQUEST_AND_COMMUNITY } from '../../payload-fields.ts';
import { route } from '../../route.ts';
import { COMMUNITY_ARRAYS } from '../../side-arrays.ts';

const shared = { reference: 'community-membership', arrays: COMMUNITY_ARRAYS } as const;
const ofCaller = {
  ...shared,
  params: z.object({ communityId: id() }),
  variables: (input: { communityId: string }) => ({ input }),
};
const ofUsers = {
  ...shared,
  params: z.object({ communityId: id(), userIds: list(id(50), { min: 1, max: 100 }) }),
  variables: (input: { communityId: string; userIds: string[] }) => ({ input }),
};

export const changeCommunityMembers = [
  route({
    ...ofCaller,
    method: 'POST',
    path: '/api/v3/communities/:communityId/join',
    summary: 'Join a community or request to join it.',
    document: mutation('joinCommunity', JOIN_REQUEST_AND_COMMUNITY),
  }),
  route({
    ...ofCaller,
    method: 'DELETE',
    path: '/api/v3/communities/:communityId/leave',
    summary: 'Leave a community.',
    document: mutation('leaveCommunity', COMMUNITY_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'POST',
    path: '/api/v3/communities/:communityId/users',
    summary: 'Add members to a community.',
    document: mutation('addCommunityMembers', COMMUNITY_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'DELETE',
    path: '/api/v3/communities/:communityId/users',
    summary: 'Remove members from a community.',
    document: mutation('removeCommunityMembers', COMMUNITY_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'PUT',
    path: '/api/v3/communities/:communityId/users/ban',
    summary: 'Ban users from a community.',
    document: mutation('banCommunityMembers', COMMUNITY_AND_USERS),
  }),
  route({
    ...ofUsers,
    method: 'PUT',
    path: '/api/v3/communities/:communityId/users/unban',
    summary: 'Lift bans from a community.',
    document: mutation('unbanCommunityMembers', COMMUNITY_AND_USERS),
  }),
];
