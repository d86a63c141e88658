import { z } from 'zod';
import { mutation, operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions } from '../../params.ts';
import { JOIN_REQUEST_AND_COMMUNITY } from '../../payload-fields.ts';
import { route } from '../../route.ts';

const path = '/api/v4/communities/:communityId/join';

const shared = {
  reference: 'join-requests',
  arrays: ['joinRequests', 'communities', 'communityUsers', 'files', 'users', 'categories', 'feeds'],
} as const;

const ofCaller = {
  ...shared,
  path,
  params: z.object({ communityId: id() }),
  variables: (input: { communityId: string }) => ({ input }),
};
const response = {
  ...shared,
  method: 'POST',
  params: z.object({ communityId: id(), userId: id(50) }),
  variables: (input: { communityId: string; userId: string }) => ({ input }),
} as const;

export const joinRequests = [
  route({
    ...ofCaller,
    method: 'POST',
    summary: 'Request to join a community, or join it.',
    document: mutation('joinCommunity', JOIN_REQUEST_AND_COMMUNITY),
  }),
  route({
    ...ofCaller,
    method: 'DELETE',
    summary: "Withdraw the caller's request to join.",
    document: mutation('cancelJoinRequest', 'joinRequests: joinRequest { ...JoinRequestWithUsers }'),
  }),
  route({
    ...shared,
    method: 'GET',
    path,
    summary: 'List the requests to join a community, newest first; empty for users who may not respond to them.',
    params: z.object({
      communityId: id(),
      status: enumParam('JoinRequestStatus').default('PENDING'),
      options: pagingOptions(),
    }),
    document: operation('CommunityJoinRequests'),
    variables: ({ communityId, status, options }) => ({ communityId, status, ...connectionVariables(options) }),
    paging: ['previous'],
  }),
  route({
    ...ofCaller,
    method: 'GET',
    path: `${path}/me`,
    summary: "Get the caller's newest request to join a community.",
    document: operation('OwnJoinRequest'),
    variables: ({ communityId }) => ({ communityId }),
    required: 'Request to join',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v4/communities/join/requests',
    summary: "List the caller's own requests to join, newest first, of one status or of all.",
    params: z.object({ status: enumParam('JoinRequestStatus').optional(), options: pagingOptions() }),
    document: operation('OwnJoinRequests'),
    variables: ({ status, options }) => ({ status: status ?? null, ...connectionVariables(options) }),
    paging: ['previous'],
  }),
  route({
    ...response,
    path: `${path}/approve`,
    summary: 'Approve a request to join: the user becomes a member.',
    document: mutation('approveJoinRequest', JOIN_REQUEST_AND_COMMUNITY),
  }),
  route({
    ...response,
    path: `${path}/reject`,
    summary: 'Reject a request to join.',
    document: mutation('rejectJoinRequest', JOIN_REQUEST_AND_COMMUNITY),
  }),
];
