import { ObjectId } from 'mongodb';
import type { CaseContext, EventCase } from './event-case.ts';
import { createFollow, createRequest, followEvent } from './follow.ts';
import {
  type Community,
  channelUsersEvent,
  chatOf,
  communityUsersEvent,
  createChannel,
  createCommunity,
  createUser,
  joinRequestEvent,
  type User,
  userEvent,
} from './people-fixtures.ts';

/** Deleting a user ends their memberships and join requests, with an event each. */
export const USER_END_CASES: EventCase[] = [
  {
    operation: 'deleteUser',
    situation: 'a user without memberships',
    async prepare(context) {
      const user = await createUser(context);
      return { as: 'admin', input: { userId: user.userId }, events: [userEvent('user.deleted', user)] };
    },
  },
  {
    operation: 'deleteUser',
    situation: 'a member of a community and a channel with a join request: one event for each',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context, { members: [user] });
      const closed = await createCommunity(context, { fields: { requiresJoinApproval: true } });
      const channel = await createChannel(context, { members: [user] });
      const { communityId } = closed;
      const { joinRequest } = await context.mutate(
        user.userId,
        'joinCommunity',
        { communityId },
        'joinRequest { joinRequestId }',
      );
      const chat = await chatOf(context, community);
      // Generated ids are random; memberships end in the order of the ids of their channels.
      const channels = [chat, channel].sort((one, other) => (one.channelId < other.channelId ? -1 : 1));
      return {
        as: user.userId,
        input: {},
        events: [
          userEvent('user.deleted', user),
          communityUsersEvent('community.userChanged', community, user),
          communityUsersEvent('community.left', community, user),
          joinRequestEvent('join-request.cancelled', joinRequest),
          ...channels.map((one) => channelUsersEvent('channel.left', one, user)),
        ],
      };
    },
  },
  {
    operation: 'deleteUser',
    situation: 'a user who follows and is followed',
    async prepare(context) {
      const user = await createUser(context);
      const follows = await createFollow(context, { follower: user });
      const requests = await createRequest(context, { follower: user });
      const followed = await createFollow(context, { followed: user });
      const requested = await createRequest(context, { followed: user });
      return {
        as: user.userId,
        input: {},
        events: [
          userEvent('user.deleted', user),
          followEvent('follow.unfollowed', follows),
          followEvent('follow.requestCanceled', requests),
          followEvent('follow.followerDeleted', followed),
          followEvent('follow.requestDeclined', requested),
        ],
      };
    },
  },
  {
    operation: 'deleteUser',
    situation: 'a member of more communities than one batch holds: one event for each',
    async prepare(context) {
      const user = await createUser(context);
      const community = await createCommunity(context, { members: [user] });
      const others = await copyCommunity(context, community, user);
      return {
        as: 'admin',
        input: { userId: user.userId },
        events: [
          userEvent('user.deleted', user),
          ...[community, ...others].flatMap((one) => [
            communityUsersEvent('community.userChanged', one, user),
            communityUsersEvent('community.left', one, user),
          ]),
          ...[community, ...others].map(({ chat }) => channelUsersEvent('channel.left', chat, user)),
        ],
      };
    },
  },
  {
    operation: 'deleteUser',
    situation: 'another user, without permission',
    async prepare(context) {
      const { userId } = await createUser(context);
      return { as: 'bob', input: { userId }, code: 'PERMISSION_DENIED' };
    },
  },
];

/** Copies a community and its chat, with the membership of the user, more often than one cursor batch holds. */
async function copyCommunity({ gateway }: CaseContext, community: Community, { userId }: User): Promise<Community[]> {
  const { communities, channels, communityUsers, channelUsers } = gateway.services.store.collections;
  const here = { networkId: 'default', communityId: community.communityId };
  const inChat = { networkId: 'default', channelId: community.chat.channelId };
  const [record, chat, member, chatMember] = await Promise.all([
    communities.findOne(here),
    channels.findOne(inChat),
    communityUsers.findOne({ ...here, userId }),
    channelUsers.findOne({ ...inChat, userId }),
  ]);
  const created = Array.from({ length: 150 }, (_, index) => {
    const name = `many-${String(index).padStart(3, '0')}`;
    const path = `default/social/community/${name}`;
    return { communityId: name, path, chat: { channelId: name, path: `default/chat/${name}` } };
  });
  const each = <Copied extends object>(copied: Copied | null, set: (one: Community) => Partial<Copied>): Copied[] =>
    created.map((one) => ({ ...copied!, _id: new ObjectId(), ...set(one) }));
  await communities.insertMany(
    each(record, ({ communityId, path, chat: { channelId } }) => ({ communityId, path, channelId })),
  );
  await channels.insertMany(each(chat, ({ communityId, chat: ids }) => ({ communityId, ...ids })));
  await communityUsers.insertMany(each(member, ({ communityId }) => ({ communityId })));
  await channelUsers.insertMany(each(chatMember, ({ chat: { channelId } }) => ({ channelId })));
  return created;
}
