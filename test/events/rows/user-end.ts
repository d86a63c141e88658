import { ObjectId } from 'mongodb';
import {
  type Community,
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
    situation: 'a member of very many places: all of them are told',
    async prepare(world) {
      const user = await newUser(world);
      const community = await newCommunity(world, { members: [user] });
      const others = await manyLike(world, community, user);
      return {
        as: 'admin',
        input: { userId: user.userId },
        events: [
          ofUser('user.deleted', user),
          ...[community, ...others].flatMap((one) => [
            inCommunity('community.left', one, user),
            inCommunity('community.userChanged', one, user),
          ]),
          ...[community, ...others].map(({ chat }) => inChannel('channel.left', chat, user)),
        ],
      };
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

/** More communities than one batch of a cursor holds, each with its chat, and the user in all of them. */
async function manyLike({ gateway }: World, community: Community, { userId }: User): Promise<Community[]> {
  const { communities, channels, communityUsers, channelUsers } = gateway.services.store.collections;
  const here = { networkId: 'default', communityId: community.communityId };
  const inChat = { networkId: 'default', channelId: community.chat.channelId };
  const [record, chat, member, chatMember] = await Promise.all([
    communities.findOne(here),
    channels.findOne(inChat),
    communityUsers.findOne({ ...here, userId }),
    channelUsers.findOne({ ...inChat, userId }),
  ]);
  const made = Array.from({ length: 150 }, (_, index) => {
    const name = `many-${String(index).padStart(3, '0')}`;
    const path = `default/social/community/${name}`;
    return { communityId: name, path, chat: { channelId: name, path: `default/chat/${name}` } };
  });
  const each = <Copied extends object>(copied: Copied | null, set: (one: Community) => Partial<Copied>): Copied[] =>
    made.map((one) => ({ ...copied!, _id: new ObjectId(), ...set(one) }));
  await communities.insertMany(
    each(record, ({ communityId, path, chat: { channelId } }) => ({ communityId, path, channelId })),
  );
  await channels.insertMany(each(chat, ({ communityId, chat: told }) => ({ communityId, ...told })));
  await communityUsers.insertMany(each(member, ({ communityId }) => ({ communityId })));
  await channelUsers.insertMany(each(chatMember, ({ chat: { channelId } }) => ({ channelId })));
  return made;
}
