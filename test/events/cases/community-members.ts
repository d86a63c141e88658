import type { EventCase } from './event-case.ts';
import {
  channelUsersEvent,
  communityUsersEvent,
  createCommunity,
  createUser,
  createUsers,
  joinRequestEvent,
} from './people-fixtures.ts';

/** Changes of community members cause events of the community and of its chat. */
export const COMMUNITY_MEMBER_CASES: EventCase[] = [
  {
    operation: 'joinCommunity',
    situation: 'a public community',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context);
      return {
        as: user.userId,
        input: { communityId: community.communityId },
        events: [
          communityUsersEvent('community.userChanged', community, user),
          communityUsersEvent('community.joined', community, user),
          channelUsersEvent('channel.joined', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'joinCommunity',
    situation: 'by a member',
    async prepare(context) {
      const user = await createUser(context);
      const { communityId } = await createCommunity(context, { members: [user] });
      return { as: user.userId, input: { communityId } };
    },
  },
  {
    operation: 'joinCommunity',
    situation: 'by a banned user',
    async prepare(context) {
      const { userId } = await createUser(context);
      const { communityId } = await createCommunity(context);
      await context.mutate('alice', 'banCommunityMembers', { communityId, userIds: [userId] }, 'clientMutationId');
      return { as: userId, input: { communityId }, code: 'BANNED' };
    },
  },
  {
    operation: 'leaveCommunity',
    situation: 'by a member',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context, { members: [user] });
      return {
        as: user.userId,
        input: { communityId: community.communityId },
        events: [
          communityUsersEvent('community.userChanged', community, user),
          communityUsersEvent('community.left', community, user),
          channelUsersEvent('channel.left', community.chat, user),
        ],
      };
    },
  },
  {
    operation: 'leaveCommunity',
    situation: 'by a user who is not a member',
    async prepare(context) {
      const { userId } = await createUser(context);
      const { communityId } = await createCommunity(context);
      return { as: userId, input: { communityId } };
    },
  },
  {
    operation: 'leaveCommunity',
    situation: 'by its last moderator: fails in the transaction',
    async prepare(context) {
      const { communityId } = await createCommunity(context, { members: [await createUser(context)] });
      return { input: { communityId }, code: 'LAST_MODERATOR' };
    },
  },
  {
    operation: 'addCommunityMembers',
    situation: 'two new members and an existing one',
    async prepare(context) {
      const [known, ...users] = await createUsers(context, 3);
      const community = await createCommunity(context, { members: [known!] });
      const { communityId } = community;
      return {
        input: { communityId, userIds: [known!, ...users].map(({ userId }) => userId) },
        events: [
          communityUsersEvent('community.userChanged', community, ...users),
          communityUsersEvent('community.userAdded', community, ...users),
          channelUsersEvent('channel.membersAdded', community.chat, ...users),
        ],
      };
    },
  },
  {
    operation: 'addCommunityMembers',
    situation: 'a user who is banned from the chat: no event of the chat',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context);
      const { channelUsers } = context.gateway.services.store.collections;
      const alice = (await channelUsers.findOne({ networkId: 'default', channelId: community.chat.channelId }))!;
      const { _id: _, ...membership } = alice;
      const banned = {
        ...membership,
        userId: user.userId,
        userInternalId: user.internalId,
        membership: 'banned',
      } as const;
      await channelUsers.insertOne({ ...banned, isBanned: true, roles: [] } as never);
      return {
        input: { communityId: community.communityId, userIds: [user.userId] },
        events: [
          communityUsersEvent('community.userChanged', community, user),
          communityUsersEvent('community.userAdded', community, user),
        ],
      };
    },
  },
  {
    operation: 'addCommunityMembers',
    situation: 'a user with a join request: it is approved',
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
          communityUsersEvent('community.userAdded', community, user),
          channelUsersEvent('channel.membersAdded', community.chat, user),
          joinRequestEvent('join-request.approved', joinRequest),
        ],
      };
    },
  },
  {
    operation: 'removeCommunityMembers',
    situation: 'a member and a non-member',
    async prepare(context) {
      const [user, stranger] = await createUsers(context, 2);
      const community = await createCommunity(context, { members: [user!] });
      return {
        input: { communityId: community.communityId, userIds: [user!.userId, stranger!.userId] },
        events: [
          communityUsersEvent('community.userChanged', community, user!),
          communityUsersEvent('community.userRemoved', community, user!),
          channelUsersEvent('channel.membersRemoved', community.chat, user!),
        ],
      };
    },
  },
  {
    operation: 'removeCommunityMembers',
    situation: 'a user who is not a member',
    async prepare(context) {
      const { userId } = await createUser(context);
      const { communityId } = await createCommunity(context);
      return { input: { communityId, userIds: [userId] } };
    },
  },
];
