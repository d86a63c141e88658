import { inChannel, inCommunity, newCommunity, newUser, newUsers, ofRequest, userOf } from './people-made.ts';
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
  {
    operation: 'banCommunityMembers',
    situation: 'a member and one who is none: the number of users changes by the member',
    async prepare(world) {
      const [user, stranger] = await newUsers(world, 2);
      const community = await newCommunity(world, { members: [user!] });
      return {
        input: { communityId: community.communityId, userIds: [user!.userId, stranger!.userId] },
        events: [
          inCommunity('community.userBanned', community, user!, stranger!),
          inCommunity('community.userChanged', community, user!),
          inChannel('channel.banned', community.chat, user!, stranger!),
        ],
      };
    },
  },
  {
    operation: 'banCommunityMembers',
    situation: 'who asked to join: the request is refused with it',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world, { fields: { requiresJoinApproval: true } });
      const { communityId } = community;
      const select = 'joinRequest { joinRequestId }';
      const { joinRequest } = await world.make(user.userId, 'joinCommunity', { communityId }, select);
      return {
        input: { communityId, userIds: [user.userId] },
        events: [
          inCommunity('community.userBanned', community, user),
          inChannel('channel.banned', community.chat, user),
          ofRequest('join-request.rejected', joinRequest),
        ],
      };
    },
  },
  {
    operation: 'unbanCommunityMembers',
    situation: 'who is banned',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world);
      const input = { communityId: community.communityId, userIds: [user.userId] };
      await world.make('alice', 'banCommunityMembers', input, 'clientMutationId');
      return {
        input,
        events: [
          inCommunity('community.userUnbanned', community, user),
          inCommunity('community.userChanged', community, user),
          inChannel('channel.unbanned', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'unbanCommunityMembers',
    situation: 'one who is banned and one who is not: neither, which the transaction finds out',
    async prepare(world) {
      const [user, stranger] = await newUsers(world, 2);
      const { communityId } = await newCommunity(world);
      await world.make('alice', 'banCommunityMembers', { communityId, userIds: [user!.userId] }, 'clientMutationId');
      return { input: { communityId, userIds: [user!.userId, stranger!.userId] }, code: 'NOT_BANNED' };
    },
  },
  {
    operation: 'addCommunityRoles',
    situation: 'a moderator moderates the chat, too; one is a moderator already',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world, { members: [user] });
      const { communityId } = community;
      return {
        input: { communityId, roleIds: ['community-moderator'], userIds: ['alice', user.userId] },
        events: [
          inCommunity('community.roleAdded', community, user),
          inChannel('channel.roleAdded', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'addCommunityRoles',
    situation: 'that everybody named holds',
    async prepare(world) {
      const { communityId } = await newCommunity(world);
      return { input: { communityId, roleIds: ['community-moderator'], userIds: ['alice'] } };
    },
  },
  {
    operation: 'removeCommunityRoles',
    situation: 'of one of two moderators',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world, { members: [user] });
      const roles = { communityId: community.communityId, roleIds: ['community-moderator'] };
      await world.make('alice', 'addCommunityRoles', { ...roles, userIds: [user.userId] }, 'clientMutationId');
      const alice = await userOf(world.gateway, 'alice');
      return {
        as: user.userId,
        input: { ...roles, userIds: ['alice'] },
        events: [
          inCommunity('community.roleRemoved', community, alice),
          inChannel('channel.roleRemoved', community.chat, alice),
        ],
      };
    },
  },
  {
    operation: 'removeCommunityRoles',
    situation: 'of the last moderator, which the transaction finds out',
    async prepare(world) {
      const { communityId } = await newCommunity(world);
      const input = { communityId, roleIds: ['community-moderator'], userIds: ['alice'] };
      return { input, code: 'LAST_MODERATOR' };
    },
  },
];
