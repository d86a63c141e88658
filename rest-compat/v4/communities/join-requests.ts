import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  ApproveRestJoinRequestDocument,
  CancelRestJoinRequestDocument,
  CommunityJoinRequestsDocument,
  type JoinRequestStatus,
  JoinRestCommunityDocument,
  OwnJoinRequestDocument,
  OwnJoinRequestsDocument,
  RejectRestJoinRequestDocument,
} from '../../generated/documents.ts';
import { connectionVariables } from '../../paging.ts';
import { id, pagingOptions } from '../../params.ts';
import { type Route, route } from '../../route.ts';

const path = '/api/v4/communities/:communityId/join';

const shared = {
  section: 'legacy-facts §7',
  arrays: ['joinRequests', 'communities', 'communityUsers', 'files', 'users', 'categories', 'feeds'],
} as const;

const one = z.object({ communityId: id() });
const answer = {
  ...shared,
  method: 'POST',
  params: z.object({ communityId: id(), userId: id(50) }),
  variables: (input: { communityId: string; userId: string }) => ({ input }),
} as const;

export const joinRequests: Route[] = [
  route({
    ...shared,
    method: 'POST',
    path,
    summary: 'Ask to join a community, or join it.',
    params: one,
    document: JoinRestCommunityDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path,
    summary: "Take the caller's request to join back.",
    params: one,
    document: CancelRestJoinRequestDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'GET',
    path,
    summary: 'Requests to join a community, newest first; empty for whoever does not answer them.',
    params: z.object({
      communityId: id(),
      status: enumParam<JoinRequestStatus>('JoinRequestStatus').default('PENDING'),
      options: pagingOptions(),
    }),
    document: CommunityJoinRequestsDocument,
    variables: ({ communityId, status, options }) => ({ communityId, status, ...connectionVariables(options) }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    method: 'GET',
    path: `${path}/me`,
    summary: "The caller's newest request to join a community.",
    params: one,
    document: OwnJoinRequestDocument,
    variables: ({ communityId }) => ({ communityId }),
    required: 'Request to join',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v4/communities/join/requests',
    summary: "The caller's own requests to join, newest first, of one status or of all.",
    params: z.object({
      status: enumParam<JoinRequestStatus>('JoinRequestStatus').optional(),
      options: pagingOptions(),
    }),
    document: OwnJoinRequestsDocument,
    variables: ({ status, options }) => ({ status: status ?? null, ...connectionVariables(options) }),
    paging: ['previous'],
  }),
  route({
    ...answer,
    path: `${path}/approve`,
    summary: 'Make whoever asked a member.',
    document: ApproveRestJoinRequestDocument,
  }),
  route({
    ...answer,
    path: `${path}/reject`,
    summary: 'Refuse whoever asked.',
    document: RejectRestJoinRequestDocument,
  }),
];
