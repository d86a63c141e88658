import type { Payload } from '../../support/mutate.ts';
import type { Expected, World } from './row.ts';

/** Users, communities and channels that rows are about: made anew for each, so that no row depends on another. */

let made = 0;
/** One that comes after all earlier ones in any order. */
const next = (noun: string): string => `${noun}-${String(++made).padStart(4, '0')}`;

export interface User {
  userId: string;
  path: string;
  internalId: string;
}

/** A user who has signed in. */
export async function newUser({ gateway }: World): Promise<User> {
  const userId = next('row-user');
  await gateway.tokenOf(userId);
  return userOf(gateway, userId);
}

export async function newUsers(world: World, count: number): Promise<User[]> {
  const users: User[] = [];
  for (let index = 0; index < count; index += 1) users.push(await newUser(world));
  return users;
}

export async function userOf({ services }: World['gateway'], userId: string): Promise<User> {
  const user = await services.store.collections.users.findOne({ networkId: 'default', userId });
  return { userId, path: user!.path, internalId: user!._id.toHexString() };
}

export interface Chat {
  channelId: string;
  path: string;
}

export interface Community {
  communityId: string;
  path: string;
  chat: Chat;
}

/** A community that alice moderates. */
export async function newCommunity(world: World, { fields = {}, members = [] as User[] } = {}): Promise<Community> {
  const userIds = members.map(({ userId }) => userId);
  const { community } = await world.make(
    'alice',
    'createCommunity',
    { displayName: 'A row', userIds, ...fields },
    'community { communityId path }',
  );
  return { ...community, chat: await chatOf(world, community) };
}

export async function chatOf({ gateway }: World, { communityId }: { communityId: string }): Promise<Chat> {
  const { channels } = gateway.services.store.collections;
  const channel = await channels.findOne({ networkId: 'default', communityId });
  return { channelId: channel!.channelId, path: channel!.path };
}

/** A channel that alice moderates. */
export async function newChannel(world: World, { fields = {}, members = [] as User[] } = {}): Promise<Chat> {
  const userIds = members.map(({ userId }) => userId);
  const input = { displayName: 'A row', userIds, ...fields };
  return (await world.make('alice', 'createChannel', input, 'channel { channelId path }')).channel;
}

export interface Feed {
  messageFeedId: string;
  channelId: string;
  path: string;
}

/** A feed beside the first of a channel. */
export async function newFeed(world: World, { channelId }: Chat): Promise<Feed> {
  const input = { channelId, name: 'Aside' };
  const { messageFeed } = await world.make('alice', 'createMessageFeed', input, 'messageFeed { messageFeedId path }');
  return { ...messageFeed, channelId };
}

/** The feed that a channel began with. */
export async function firstFeedOf({ gateway }: World, { channelId }: Chat): Promise<Feed> {
  const { messageFeeds } = gateway.services.store.collections;
  const feed = await messageFeeds.findOne({ networkId: 'default', channelId, isDefault: true });
  return { messageFeedId: feed!.messageFeedId, channelId, path: feed!.path };
}

export interface Message {
  messageId: string;
  path: string;
}

/** A message of alice in the first feed of a channel, or in the feed that is named. */
export async function newMessage(world: World, place: { channelId: string } | Feed, fields = {}): Promise<Message> {
  const { messageFeedId = null, channelId } = { messageFeedId: undefined, ...place };
  const where = messageFeedId === null ? { channelId } : { messageFeedId };
  const input = { ...where, data: { text: 'A row' }, ...fields };
  return (await world.make('alice', 'sendMessage', input, 'chatMessage { messageId path }')).chatMessage;
}

type Named<Noun extends string> = Extract<Expected[0], `${Noun}.${string}`>;

/* The events of what is made here, each by its noun. */

export const ofUser = (type: Named<'user'>, { userId, path }: User): Expected => [type, path, { userId }];

export const ofCommunity = (
  type: 'community.created' | 'community.updated' | 'community.deleted',
  { communityId, path }: Pick<Community, 'communityId' | 'path'>,
): Expected => [type, path, { communityId }];

export const inCommunity = (
  type: Exclude<Named<'community'>, Parameters<typeof ofCommunity>[0]>,
  { communityId, path }: Community,
  ...users: User[]
): Expected => [type, path, { communityId, userIds: users.map(({ userId }) => userId) }];

export const ofChannel = (
  type: 'channel.created' | 'channel.updated' | 'channel.deleted' | 'channel.setMuted',
  { channelId, path }: Chat,
): Expected => [type, path, { channelId }];

export const inChannel = (
  type: Exclude<Named<'channel'>, Parameters<typeof ofChannel>[0]>,
  { channelId, path }: Chat,
  ...users: User[]
): Expected => [type, path, { channelId, userIds: users.map(({ userId }) => userId) }];

export const ofFeed = (type: Named<'message-feed'>, { messageFeedId, channelId, path }: Feed): Expected => [
  type,
  path,
  { messageFeedId, channelId },
];

export const ofMessage = (
  type: Exclude<Named<'message'>, `message.reaction${string}`>,
  { messageId, path }: Message,
): Expected => [type, path, { messageId }];

export const ofRequest = (type: Named<'join-request'>, { joinRequestId }: Payload): Expected => [
  type,
  `default/join-request/${joinRequestId}`,
  { joinRequestId },
];

/** That the positions of a user moved. */
export const ofMarkers = ({ userId, internalId }: User, ...feeds: Feed[]): Expected => [
  'marker.userFeed-updated',
  `default/marker/user/${internalId}`,
  { userId, feedIds: feeds.map(({ messageFeedId }) => messageFeedId) },
];
