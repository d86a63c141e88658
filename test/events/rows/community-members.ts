import { inChannel, inCommunity, newCommunity, newUser, newUsers, ofRequest } from './people-made.ts';
import type { EventRow } from './row.ts';

/** How users come into a community and out of it: it is told there, and in the chat. */
export const COMMUNITY_MEMBER_ROWS: EventRow[] = [
  {
    operation: 'joinCommunity',
    situation: 'a public one',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world);
      return {
        as: user.userId,
        input: { communityId: community.communityId },
        events: [
          inCommunity('community.joined', community, user),
          inCommunity('community.userChanged', community, user),
          inChannel('channel.joined', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'joinCommunity',
    situation: 'by a member',
    async prepare(world) {
      const user = await newUser(world);
      const { communityId } = await newCommunity(world, { members: [user] });
      return { as: user.userId, input: { communityId } };
    },
  },
  {
    operation: 'joinCommunity',
    situation: 'by somebody who is banned',
    async prepare(world) {
      const { userId } = await newUser(world);
      const { communityId } = await newCommunity(world);
      await world.make('alice', 'banCommunityMembers', { communityId, userIds: [userId] }, 'clientMutationId');
      return { as: userId, input: { communityId }, code: 'BANNED' };
    },
  },
  {
    operation: 'leaveCommunity',
    situation: 'by a member',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world, { members: [user] });
      return {
        as: user.userId,
        input: { communityId: community.communityId },
        events: [
          inCommunity('community.left', community, user),
          inCommunity('community.userChanged', community, user),
          inChannel('channel.left', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'leaveCommunity',
    situation: 'by somebody who is no member',
    async prepare(world) {
      const { userId } = await newUser(world);
      const { communityId } = await newCommunity(world);
      return { as: userId, input: { communityId } };
    },
  },
  {
    operation: 'leaveCommunity',
    situation: 'by its last moderator, which the transaction finds out',
    async prepare(world) {
      const { communityId } = await newCommunity(world, { members: [await newUser(world)] });
      return { input: { communityId }, code: 'LAST_MODERATOR' };
    },
  },
  {
    operation: 'addCommunityMembers',
    situation: 'two, and one who is a member already',
    async prepare(world) {
      const [known, ...users] = await newUsers(world, 3);
      const community = await newCommunity(world, { members: [known!] });
      const { communityId } = community;
      return {
        input: { communityId, userIds: [known!, ...users].map(({ userId }) => userId) },
        events: [
          inCommunity('community.userAdded', community, ...users),
          inCommunity('community.userChanged', community, ...users),
          inChannel('channel.membersAdded', community.chat, ...users),
        ],
      };
    },
  },
  {
    operation: 'addCommunityMembers',
    situation: 'who is banned from the chat: there nothing changes',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world);
      const { channelUsers } = world.gateway.services.store.collections;
      const alice = (await channelUsers.findOne({ networkId: 'default', channelId: community.chat.channelId }))!;
      const { _id: _, ...like } = alice;
      const banned = { ...like, userId: user.userId, userInternalId: user.internalId, membership: 'banned' } as const;
      await channelUsers.insertOne({ ...banned, isBanned: true, roles: [] } as never);
      return {
        input: { communityId: community.communityId, userIds: [user.userId] },
        events: [
          inCommunity('community.userAdded', community, user),
          inCommunity('community.userChanged', community, user),
        ],
      };
    },
  },
  {
    operation: 'addCommunityMembers',
    situation: 'who asked to join: the request is answered',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world, { fields: { requiresJoinApproval: true } });
      const { communityId } = community;
      const select = 'joinRequest { joinRequestId }';
      const { joinRequest } = await world.make(user.userId, 'joinCommunity', { communityId }, select);
      return {
        input: { communityId, userIds: [user.userId] },
        events: [
          inCommunity('community.userAdded', community, user),
          inCommunity('community.userChanged', community, user),
          inChannel('channel.membersAdded', community.chat, user),
          ofRequest('join-request.approved', joinRequest),
        ],
      };
    },
  },
  {
    operation: 'removeCommunityMembers',
    situation: 'a member, and one who is none',
    async prepare(world) {
      const [user, stranger] = await newUsers(world, 2);
      const community = await newCommunity(world, { members: [user!] });
      return {
        input: { communityId: community.communityId, userIds: [user!.userId, stranger!.userId] },
        events: [
          inCommunity('community.userRemoved', community, user!),
          inCommunity('community.userChanged', community, user!),
          inChannel('channel.membersRemoved', community.chat, user!),
        ],
      };
    },
  },
  {
    operation: 'removeCommunityMembers',
    situation: 'nobody who is a member',
    async prepare(world) {
      const { userId } = await newUser(world);
      const { communityId } = await newCommunity(world);
      return { input: { communityId, userIds: [userId] } };
    },
  },
];
