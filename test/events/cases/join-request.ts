import type { CaseContext, EventCase } from './event-case.ts';
import {
  type Community,
  channelUsersEvent,
  communityUsersEvent,
  createCommunity,
  createUser,
  joinRequestEvent,
  type User,
} from './people-fixtures.ts';

/** A community that requires approval, and a user who requested to join it. */
async function createJoinRequest(context: CaseContext) {
  const user = await createUser(context);
  const community = await createCommunity(context, { fields: { requiresJoinApproval: true } });
  const { communityId } = community;
  const select = 'joinRequest { joinRequestId }';
  const { joinRequest } = await context.mutate(user.userId, 'joinCommunity', { communityId }, select);
  return { user, community, joinRequest, input: inputOf(community, user) };
}

const inputOf = ({ communityId }: Community, { userId }: User) => ({ communityId, userId });

export const JOIN_REQUEST_CASES: EventCase[] = [
  {
    operation: 'joinCommunity',
    situation: 'that requires approval: creates a join request',
    async prepare(context) {
      const { userId } = await createUser(context);
      const { communityId } = await createCommunity(context, { fields: { requiresJoinApproval: true } });
      return {
        as: userId,
        input: { communityId },
        select: 'joinRequest { joinRequestId }',
        events: ({ joinRequest }) => [joinRequestEvent('join-request.created', joinRequest)],
      };
    },
  },
  {
    operation: 'joinCommunity',
    situation: 'again, while the request is pending',
    async prepare(context) {
      const { user, community } = await createJoinRequest(context);
      return { as: user.userId, input: { communityId: community.communityId } };
    },
  },
  {
    operation: 'approveJoinRequest',
    situation: 'pending: the user joins',
    async prepare(context) {
      const { user, community, joinRequest, input } = await createJoinRequest(context);
      return {
        input,
        events: [
          joinRequestEvent('join-request.approved', joinRequest),
          communityUsersEvent('community.userChanged', community, user),
          communityUsersEvent('community.joined', community, user),
          channelUsersEvent('channel.joined', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'approveJoinRequest',
    situation: 'of a user without a request',
    async prepare(context) {
      const { community } = await createJoinRequest(context);
      return { input: inputOf(community, await createUser(context)), code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'rejectJoinRequest',
    situation: 'pending',
    async prepare(context) {
      const { joinRequest, input } = await createJoinRequest(context);
      return { input, events: [joinRequestEvent('join-request.rejected', joinRequest)] };
    },
  },
  {
    operation: 'cancelJoinRequest',
    situation: 'pending',
    async prepare(context) {
      const { user, community, joinRequest } = await createJoinRequest(context);
      return {
        as: user.userId,
        input: { communityId: community.communityId },
        events: [joinRequestEvent('join-request.cancelled', joinRequest)],
      };
    },
  },
  {
    operation: 'cancelJoinRequest',
    situation: 'rejected',
    async prepare(context) {
      const { user, community, input } = await createJoinRequest(context);
      await context.mutate('alice', 'rejectJoinRequest', input, 'clientMutationId');
      return { as: user.userId, input: { communityId: community.communityId }, code: 'NOT_FOUND' };
    },
  },
];
