import { type Community, inChannel, inCommunity, newCommunity, newUser, ofRequest, type User } from './people-made.ts';
import type { EventRow, World } from './row.ts';

/** A community that approves its members, and somebody who asks to join it. */
async function newRequest(world: World) {
  const user = await newUser(world);
  const community = await newCommunity(world, { fields: { requiresJoinApproval: true } });
  const { communityId } = community;
  const select = 'joinRequest { joinRequestId }';
  const { joinRequest } = await world.make(user.userId, 'joinCommunity', { communityId }, select);
  return { user, community, joinRequest, input: inputOf(community, user) };
}

const inputOf = ({ communityId }: Community, { userId }: User) => ({ communityId, userId });

export const JOIN_REQUEST_ROWS: EventRow[] = [
  {
    operation: 'joinCommunity',
    situation: 'that approves its members: a request waits',
    async prepare(world) {
      const { userId } = await newUser(world);
      const { communityId } = await newCommunity(world, { fields: { requiresJoinApproval: true } });
      return {
        as: userId,
        input: { communityId },
        select: 'joinRequest { joinRequestId }',
        events: ({ joinRequest }) => [ofRequest('join-request.created', joinRequest)],
      };
    },
  },
  {
    operation: 'joinCommunity',
    situation: 'once more, while a request waits',
    async prepare(world) {
      const { user, community } = await newRequest(world);
      return { as: user.userId, input: { communityId: community.communityId } };
    },
  },
  {
    operation: 'approveJoinRequest',
    situation: 'that waits: whoever asked joins',
    async prepare(world) {
      const { user, community, joinRequest, input } = await newRequest(world);
      return {
        input,
        events: [
          ofRequest('join-request.approved', joinRequest),
          inCommunity('community.joined', community, user),
          inCommunity('community.userChanged', community, user),
          inChannel('channel.joined', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'approveJoinRequest',
    situation: 'of somebody who did not ask',
    async prepare(world) {
      const { community } = await newRequest(world);
      return { input: inputOf(community, await newUser(world)), code: 'NOT_FOUND' };
    },
  },
  {
    operation: 'rejectJoinRequest',
    situation: 'that waits',
    async prepare(world) {
      const { joinRequest, input } = await newRequest(world);
      return { input, events: [ofRequest('join-request.rejected', joinRequest)] };
    },
  },
  {
    operation: 'cancelJoinRequest',
    situation: 'that waits',
    async prepare(world) {
      const { user, community, joinRequest } = await newRequest(world);
      return {
        as: user.userId,
        input: { communityId: community.communityId },
        events: [ofRequest('join-request.cancelled', joinRequest)],
      };
    },
  },
  {
    operation: 'cancelJoinRequest',
    situation: 'that was answered',
    async prepare(world) {
      const { user, community, input } = await newRequest(world);
      await world.make('alice', 'rejectJoinRequest', input, 'clientMutationId');
      return { as: user.userId, input: { communityId: community.communityId }, code: 'NOT_FOUND' };
    },
  },
];
