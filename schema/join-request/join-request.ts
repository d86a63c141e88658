import { getJoinRequest } from '../../src/domain/community/join-requests/get-join-request.ts';
import {
  joinRequestOfViewer,
  listCommunityJoinRequests,
  listViewerJoinRequests,
} from '../../src/domain/community/join-requests/list-join-requests.ts';
import { MAX_IDS } from '../../src/domain/records-by-ids.ts';
import type { JoinRequestRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord } from '../shared/of-record.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const JoinRequest = nodeType<JoinRequestRecord>('JoinRequest', {
  description: 'A request of a user to become a member of a community.',
  id: 'joinRequestId',
  load: (context, joinRequestId) => getJoinRequest(context, { joinRequestId }),
});

const JoinRequestConnection = connectionType(JoinRequest, 'requests to join');
const JoinRequestStatus = restEnum('JoinRequestStatus', 'State of a join request.', {
  pending: 'Not answered yet.',
  approved: 'The requestor became a member: the request was approved, or they joined in another way.',
  rejected: 'Declined by a moderator, or closed by a ban. Unless banned, the user can send a new request.',
  cancelled: 'Withdrawn by the requestor, or closed because their account was deleted.',
});
const JoinRequestTargetType = restEnum('JoinRequestTargetType', 'Kind of record that a join request is for.', {
  community: 'A community.',
});
const JoinRequestType = restEnum('JoinRequestType', 'Kind of join request.', {
  communityJoinRequest: 'Request for membership in a community that requires approval.',
});

builder.objectFields(JoinRequest, (t) => ({
  joinRequestId: t.exposeString('joinRequestId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (request) => request._id.toHexString(),
  }),
  networkId: t.exposeString('networkId', { description: 'Id of the network.' }),
  type: t.expose('type', { type: JoinRequestType, description: 'Kind of request.' }),
  targetType: t.expose('targetType', { type: JoinRequestTargetType, description: 'Kind of record to join.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community.' }),
  status: t.expose('status', { type: JoinRequestStatus, description: 'State of the request.' }),
  requestorId: t.exposeString('requestorId', { description: 'Public id of the requestor.' }),
  requestorInternalId: t.exposeString('requestorInternalId', { description: 'Internal id of the requestor.' }),
  responderId: t.exposeString('responderId', { nullable: true, description: 'Public id of the user who answered.' }),
  responderInternalId: t.exposeString('responderInternalId', {
    nullable: true,
    description: 'Internal id of the user who answered.',
  }),
  respondedAt: t.expose('respondedAt', { type: 'DateTime', nullable: true, description: 'Time of the answer.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  requestor: t.field({
    type: User,
    nullable: true,
    description: 'The requestor.',
    resolve: (request, _, context) => loadUser(context, request.requestorId),
  }),
  responder: t.field({
    type: User,
    nullable: true,
    description: 'The user who answered.',
    resolve: (request, _, context) => loadUser(context, request.responderId),
  }),
}));

builder.objectFields(Community, (t) => ({
  viewerJoinRequest: t.field({
    type: JoinRequest,
    nullable: true,
    description: 'Newest join request of the viewer; null if there is none.',
    resolve: (community, _, context) => joinRequestOfViewer(context, community),
  }),
  joinRequests: t.connection(
    {
      type: JoinRequest,
      nullable: true,
      description: 'Join requests, newest first; null if the viewer cannot answer them.',
      args: {
        status: t.arg({
          type: JoinRequestStatus,
          required: true,
          defaultValue: 'pending',
          description: 'State of the requests.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (community, { status, ...args }, context) => {
        const page = await listCommunityJoinRequests(context, { community, status, request: pageRequest(args) });
        return page && toConnection(page);
      },
    },
    JoinRequestConnection,
  ),
}));

builder.queryFields((t) => ({
  joinRequest: t.field({
    type: JoinRequest,
    nullable: true,
    description: 'A join request by its public id.',
    args: { joinRequestId: t.arg.string({ required: true, description: 'Public id of the join request.' }) },
    resolve: (_, args, context) => getJoinRequest(context, args),
  }),
  viewerJoinRequest: t.field({
    type: JoinRequest,
    nullable: true,
    description: 'Newest request of the viewer to join a community; null if there is none.',
    args: { communityId: t.arg.string({ required: true, description: 'Public id of the community.' }) },
    resolve: (_, args, context) => joinRequestOfViewer(context, args),
  }),
  viewerJoinRequests: t.connection(
    {
      type: JoinRequest,
      description: 'Join requests of the viewer, newest first.',
      args: {
        status: t.arg({ type: JoinRequestStatus, description: 'State of the requests; any by default.' }),
        communityIds: t.arg.stringList({ description: `Only requests for these communities, at most ${MAX_IDS}.` }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, args, context) =>
        toConnection(
          await listViewerJoinRequests(context, {
            status: args.status,
            communityIds: args.communityIds,
            request: pageRequest(args),
          }),
        ),
    },
    JoinRequestConnection,
  ),
}));
