import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { forMutation } from '../../operation-params.ts';
import { connectionVariables } from '../../paging.ts';
import { id, list, listedId, pagingOptions } from '../../params.ts';
import { JOIN_REQUEST_AND_COMMUNITY, JOINED_COMMUNITY } from '../../payload-fields.ts';
import { route } from '../../route.ts';

const path = '/api/v4/communities/:communityId/join';

const shared = {
  reference: 'join-requests',
  arrays: ['joinRequests', 'communities', 'communityUsers', 'files', 'users', 'categories', 'feeds'],
} as const;

export const joinRequests = [
  route({
    ...shared,
    ...forMutation('joinCommunity', JOINED_COMMUNITY),
    method: 'POST',
    path,
    summary: 'Join a community, or create a join request if it requires approval.',
    wrapReadsRecords: true,
    wrap: withApprovedRequest,
  }),
  route({
    ...shared,
    ...forMutation('cancelJoinRequest', 'joinRequests: joinRequest { ...JoinRequestWithUsers }'),
    method: 'DELETE',
    path,
    summary: 'Cancel the pending join request of the viewer.',
  }),
  route({
    ...shared,
    method: 'GET',
    path,
    summary: 'List the join requests of a community, newest first; empty for users who cannot answer them.',
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
    summary: 'Get the newest join request of the viewer for a community.',
    params: z.object({ communityId: id() }),
    document: operation('OwnJoinRequest'),
    variables: ({ communityId }) => ({ communityId }),
    required: 'Join request',
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/v4/communities/join/requests',
    summary: 'List the join requests of the viewer, newest first, with one status or with any.',
    params: z.object({
      status: enumParam('JoinRequestStatus').optional(),
      communityIds: list(listedId(900), { max: 100 }).optional(),
      options: pagingOptions(),
    }),
    document: operation('OwnJoinRequests'),
    variables: ({ status, communityIds, options }) => ({
      status: status ?? null,
      communityIds: communityIds ?? null,
      ...connectionVariables(options),
    }),
    paging: ['previous'],
  }),
  route({
    ...shared,
    ...forMutation('approveJoinRequest', JOIN_REQUEST_AND_COMMUNITY),
    method: 'POST',
    path: `${path}/approve`,
    summary: 'Approve a join request: the requestor becomes a member.',
  }),
  route({
    ...shared,
    ...forMutation('rejectJoinRequest', JOIN_REQUEST_AND_COMMUNITY),
    method: 'POST',
    path: `${path}/reject`,
    summary: 'Reject a join request.',
  }),
];

type Json = { [key: string]: unknown };

/**
 * Adds an approved request for a member who needed none: clients read the result of joining from `joinRequests`, see
 * `docs/interface.md#join-requests`.
 */
function withApprovedRequest(body: Json): Json {
  const { joinRequests, communities, communityUsers } = body;
  // For OpenAPI, the arrays are descriptions.
  if (!Array.isArray(joinRequests) || joinRequests.length > 0) return body;
  const [member] = communityUsers as Json[];
  const [community] = communities as Json[];
  return member && community ? { ...body, joinRequests: [approvedRequest(member, community)] } : body;
}

function approvedRequest(member: Json, community: Json): Json {
  const { userId, userInternalId, lastJoin, createdAt, updatedAt } = member;
  const joinedAt = lastJoin ?? createdAt;
  return {
    _id: member._id,
    networkId: String(community.path).split('/')[0],
    targetId: member.communityId,
    targetType: 'community',
    type: 'communityJoinRequest',
    userId,
    status: 'approved',
    joinRequestId: member._id,
    requestorId: userId,
    requestorPublicId: userId,
    requestorInternalId: userInternalId,
    responderId: null,
    responderPublicId: null,
    responderInternalId: null,
    respondedAt: joinedAt,
    updatedAt,
    createdAt: joinedAt,
  };
}
