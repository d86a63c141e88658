import type { EventCase } from './event-case.ts';
import {
  channelUsersEvent,
  communityUsersEvent,
  createCommunity,
  createUser,
  createUsers,
  joinRequestEvent,
  userOf,
} from './people-fixtures.ts';

export const COMMUNITY_MODERATION_CASES: EventCase[] = [
  {
    operation: 'banCommunityMembers',
    situation: 'a member and a non-member',
    async prepare(context) {
      const [user, stranger] = await createUsers(context, 2);
      const community = await createCommunity(context, { members: [user!] });
      return {
        input: { communityId: community.communityId, userIds: [user!.userId, stranger!.userId] },
        events: [
          communityUsersEvent('community.userChanged', community, user!, stranger!),
          communityUsersEvent('community.userBanned', community, user!, stranger!),
          channelUsersEvent('channel.banned', community.chat, user!, stranger!),
        ],
      };
    },
  },
  {
    operation: 'banCommunityMembers',
    situation: 'a user with a join request: it is rejected',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context, { fields: { requiresJoinApproval: true } });
      const { communityId } = community;
      const select = 'joinRequest { joinRequestId }';
      const { joinRequest } = await context.mutate(user.userId, 'joinCommunity', { communityId }, select);
      return {
        input: { communityId, userIds: [user.userId] },
        events: [
          communityUsersEvent('community.userChanged', community, user),
          communityUsersEvent('community.userBanned', community, user),
          channelUsersEvent('channel.banned', community.chat, user),
          joinRequestEvent('join-request.rejected', joinRequest),
        ],
      };
    },
  },
  {
    operation: 'unbanCommunityMembers',
    situation: 'a banned user',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context);
      const input = { communityId: community.communityId, userIds: [user.userId] };
      await context.mutate('alice', 'banCommunityMembers', input, 'clientMutationId');
      return {
        input,
        events: [
          communityUsersEvent('community.userChanged', community, user),
          communityUsersEvent('community.userUnbanned', community, user),
          channelUsersEvent('channel.unbanned', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'unbanCommunityMembers',
    situation: 'one of two users is not banned: fails in the transaction',
    async prepare(context) {
      const [user, stranger] = await createUsers(context, 2);
      const { communityId } = await createCommunity(context);
      await context.mutate(
        'alice',
        'banCommunityMembers',
        { communityId, userIds: [user!.userId] },
        'clientMutationId',
      );
      return { input: { communityId, userIds: [user!.userId, stranger!.userId] }, code: 'NOT_BANNED' };
    },
  },
  {
    operation: 'addCommunityRoles',
    situation: 'moderators also moderate the chat; one of two users is a moderator already',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context, { members: [user] });
      const { communityId } = community;
      return {
        input: { communityId, roleIds: ['community-moderator'], userIds: ['alice', user.userId] },
        events: [
          communityUsersEvent('community.roleAdded', community, user),
          channelUsersEvent('channel.roleAdded', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'addCommunityRoles',
    situation: 'that all users have already',
    async prepare(context) {
      const { communityId } = await createCommunity(context);
      return { input: { communityId, roleIds: ['community-moderator'], userIds: ['alice'] } };
    },
  },
  {
    operation: 'removeCommunityRoles',
    situation: 'of one of two moderators',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context, { members: [user] });
      const roles = { communityId: community.communityId, roleIds: ['community-moderator'] };
      await context.mutate('alice', 'addCommunityRoles', { ...roles, userIds: [user.userId] }, 'clientMutationId');
      const alice = await userOf(context.gateway, 'alice');
      return {
        as: user.userId,
        input: { ...roles, userIds: ['alice'] },
        events: [
          communityUsersEvent('community.roleRemoved', community, alice),
          channelUsersEvent('channel.roleRemoved', community.chat, alice),
        ],
      };
    },
  },
  {
    operation: 'removeCommunityRoles',
    situation: 'of the last moderator: fails in the transaction',
    async prepare(context) {
      const { communityId } = await createCommunity(context);
      const input = { communityId, roleIds: ['community-moderator'], userIds: ['alice'] };
      return { input, code: 'LAST_MODERATOR' };
    },
  },
];
