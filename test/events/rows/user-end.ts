import { ObjectId } from 'mongodb';
import {
  chatOf,
  inChannel,
  inCommunity,
  newChannel,
  newCommunity,
  newUser,
  ofRequest,
  ofUser,
  type User,
} from './people-made.ts';
import type { EventRow, World } from './row.ts';

/** What the end of an account appends: it leaves every place that it was in. */
export const USER_END_ROWS: EventRow[] = [
  {
    operation: 'deleteUser',
    situation: 'who was nowhere',
    async prepare(world) {
      const user = await newUser(world);
      return { as: 'admin', input: { userId: user.userId }, events: [ofUser('user.deleted', user)] };
    },
  },
  {
    operation: 'deleteUser',
    situation: 'a member of a community and of a channel, who asks to join another: all of them are told',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world, { members: [user] });
      const closed = await newCommunity(world, { fields: { requiresJoinApproval: true } });
      const channel = await newChannel(world, { members: [user] });
      const { communityId } = closed;
      const { joinRequest } = await world.make(
        user.userId,
        'joinCommunity',
        { communityId },
        'joinRequest { joinRequestId }',
      );
      const chat = await chatOf(world, community);
      return {
        as: user.userId,
        input: {},
        events: [
          ofUser('user.deleted', user),
          inCommunity('community.left', community, user),
          inCommunity('community.userChanged', community, user),
          ofRequest('join-request.cancelled', joinRequest),
          inChannel('channel.left', chat, user),
          inChannel('channel.left', channel, user),
        ],
      };
    },
  },
  {
    operation: 'deleteUser',
    situation: 'a member of more places than a transaction tells: that the user is gone says it all',
    async prepare(world) {
      const user = await newUser(world);
      await newCommunity(world, { members: [user] });
      await fillWithMemberships(world, user);
      return { as: 'admin', input: { userId: user.userId }, events: [ofUser('user.deleted', user)] };
    },
  },
  {
    operation: 'deleteUser',
    situation: 'somebody else without the right',
    async prepare(world) {
      const { userId } = await newUser(world);
      return { as: 'bob', input: { userId }, code: 'PERMISSION_DENIED' };
    },
  },
];

/** A hundred memberships more, of communities and of channels. */
async function fillWithMemberships({ gateway }: World, { userId }: User): Promise<void> {
  const { communityUsers, channelUsers } = gateway.services.store.collections;
  const own = { networkId: 'default', userId };
  const member = (await communityUsers.findOne(own))!;
  const channelUser = (await channelUsers.findOne(own))!;
  const names = Array.from({ length: 100 }, (_, index) => `elsewhere-${index}`);
  await communityUsers.insertMany(names.map((communityId) => ({ ...member, _id: new ObjectId(), communityId })));
  await channelUsers.insertMany(names.map((channelId) => ({ ...channelUser, _id: new ObjectId(), channelId })));
}
