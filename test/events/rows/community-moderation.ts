import { inChannel, inCommunity, newCommunity, newUser, newUsers, ofRequest, userOf } from './people-made.ts';
import type { EventRow } from './row.ts';

export const COMMUNITY_MODERATION_ROWS: EventRow[] = [
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
          inCommunity('community.userChanged', community, user!, stranger!),
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
          inCommunity('community.userChanged', community, user),
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
