import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { forMutation } from '../../operation-params.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions } from '../../params.ts';
import { JOIN_REQUEST_AND_COMMUNITY } from '../../payload-fields.ts';
import { route } from '../../route.ts';

const path = '/api/v4/communities/:communityId/join';

const shared = {
  reference: 'join-requests',
  arrays: ['joinRequests', 'communities', 'communityUsers', 'files', 'users', 'categories', 'feeds'],
} as const;

export const joinRequests = [
  route({
    ...shared,
    ...forMutation('joinCommunity', JOIN_REQUEST_AND_COMMUNITY),
    method: 'POST',
    path,
    summary: 'Request to join a community, or join it.',
  }),
  route({
    ...shared,
    ...forMutation('cancelJoinRequest', 'joinRequests: joinRequest { ...JoinRequestWithUsers }'),
    method: 'DELETE',
    path,
    summary: "Withdraw the caller's request to join.",
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
    ...shared,
    method: 'GET',
    path: `${path}/me`,
    summary: "Get the caller's newest request to join a community.",
    params: z.object({ communityId: id() }),
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
    ...shared,
    ...forMutation('approveJoinRequest', JOIN_REQUEST_AND_COMMUNITY),
    method: 'POST',
    path: `${path}/approve`,
    summary: 'Approve a request to join: the user becomes a member.',
  }),
  route({
    ...shared,
    ...forMutation('rejectJoinRequest', JOIN_REQUEST_AND_COMMUNITY),
    method: 'POST',
    path: `${path}/reject`,
    summary: 'Reject a request to join.',
  }),
];
