import type { Payload } from '../../support/mutate.ts';
import type { CaseContext, ExpectedEvent } from './event-case.ts';

/** Users, communities and channels. Each case creates its own, so that no case depends on another. */

let created = 0;
/** A unique id that sorts after all earlier ones. */
const next = (prefix: string): string => `${prefix}-${String(++created).padStart(4, '0')}`;

export interface User {
  userId: string;
  path: string;
  internalId: string;
}

/** A user who has signed in. */
export async function createUser({ gateway }: CaseContext): Promise<User> {
  const userId = next('case-user');
  await gateway.tokenOf(userId);
  return userOf(gateway, userId);
}

export async function createUsers(context: CaseContext, count: number): Promise<User[]> {
  const users: User[] = [];
  for (let index = 0; index < count; index += 1) users.push(await createUser(context));
  return users;
}

export async function userOf({ services }: CaseContext['gateway'], userId: string): Promise<User> {
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
export async function createCommunity(
  context: CaseContext,
  { fields = {}, members = [] as User[] } = {},
): Promise<Community> {
  const userIds = members.map(({ userId }) => userId);
  const { community } = await context.mutate(
    'alice',
    'createCommunity',
    { displayName: 'An example', userIds, ...fields },
    'community { communityId path }',
  );
  return { ...community, chat: await chatOf(context, community) };
}

export async function chatOf({ gateway }: CaseContext, { communityId }: { communityId: string }): Promise<Chat> {
  const { channels } = gateway.services.store.collections;
  const channel = await channels.findOne({ networkId: 'default', communityId });
  return { channelId: channel!.channelId, path: channel!.path };
}

/** A channel that alice moderates. */
export async function createChannel(context: CaseContext, { fields = {}, members = [] as User[] } = {}): Promise<Chat> {
  const userIds = members.map(({ userId }) => userId);
  const input = { displayName: 'An example', userIds, ...fields };
  return (await context.mutate('alice', 'createChannel', input, 'channel { channelId path }')).channel;
}

export interface Feed {
  messageFeedId: string;
  channelId: string;
  path: string;
}

/** A second feed of a channel. */
export async function createFeed(context: CaseContext, { channelId }: Chat): Promise<Feed> {
  const input = { channelId, name: 'Aside' };
  const { messageFeed } = await context.mutate(
    'alice',
    'createMessageFeed',
    input,
    'messageFeed { messageFeedId path }',
  );
  return { ...messageFeed, channelId };
}

/** The default feed of a channel. */
export async function firstFeedOf({ gateway }: CaseContext, { channelId }: Chat): Promise<Feed> {
  const { messageFeeds } = gateway.services.store.collections;
  const feed = await messageFeeds.findOne({ networkId: 'default', channelId, isDefault: true });
  return { messageFeedId: feed!.messageFeedId, channelId, path: feed!.path };
}

export interface Message {
  messageId: string;
  path: string;
}

/** A message of alice in the given feed, or in the default feed of the given channel. */
export async function createMessage(
  context: CaseContext,
  place: { channelId: string } | Feed,
  fields = {},
): Promise<Message> {
  const { messageFeedId = null, channelId } = { messageFeedId: undefined, ...place };
  const where = messageFeedId === null ? { channelId } : { messageFeedId };
  const input = { ...where, data: { text: 'An example' }, ...fields };
  return (await context.mutate('alice', 'sendMessage', input, 'chatMessage { messageId path }')).chatMessage;
}

type EventNameOf<Resource extends string> = Extract<ExpectedEvent[0], `${Resource}.${string}`>;

export const userEvent = (type: EventNameOf<'user'>, { userId, path }: User): ExpectedEvent => [type, path, { userId }];

export const communityEvent = (
  type: 'community.created' | 'community.updated' | 'community.deleted',
  { communityId, path }: Pick<Community, 'communityId' | 'path'>,
): ExpectedEvent => [type, path, { communityId }];

export const communityUsersEvent = (
  type: Exclude<EventNameOf<'community'>, Parameters<typeof communityEvent>[0]>,
  { communityId, path }: Community,
  ...users: User[]
): ExpectedEvent => [type, path, { communityId, userIds: users.map(({ userId }) => userId) }];

export const channelEvent = (
  type: 'channel.created' | 'channel.updated' | 'channel.deleted' | 'channel.setMuted',
  { channelId, path }: Chat,
): ExpectedEvent => [type, path, { channelId }];

export const channelUsersEvent = (
  type: Exclude<EventNameOf<'channel'>, Parameters<typeof channelEvent>[0]>,
  { channelId, path }: Chat,
  ...users: User[]
): ExpectedEvent => [type, path, { channelId, userIds: users.map(({ userId }) => userId) }];

export const feedEvent = (
  type: EventNameOf<'message-feed'>,
  { messageFeedId, channelId, path }: Feed,
): ExpectedEvent => [type, path, { messageFeedId, channelId }];

export const messageEvent = (
  type: Exclude<EventNameOf<'message'>, `message.reaction${string}`>,
  { messageId, path }: Message,
): ExpectedEvent => [type, path, { messageId }];

export const joinRequestEvent = (type: EventNameOf<'join-request'>, { joinRequestId }: Payload): ExpectedEvent => [
  type,
  `default/join-request/${joinRequestId}`,
  { joinRequestId },
];

/** The read positions of a user changed. */
export const markersEvent = ({ userId, internalId }: User, ...feeds: Feed[]): ExpectedEvent => [
  'marker.userFeed-updated',
  `default/marker/user/${internalId}`,
  { userId, feedIds: feeds.map(({ messageFeedId }) => messageFeedId) },
];

/** The user read messages that were unread. */
export const syncEvent = (user: User, ...feeds: Feed[]): ExpectedEvent => {
  const [, path, data] = markersEvent(user, ...feeds);
  return ['marker.user-sync', path, data as { userId: string; feedIds: string[] }];
};

/** A message of a feed is new, or was read or received. */
export async function feedMarkerEvent(
  type: 'marker.feed-updated' | 'marker.marked-message',
  { gateway }: CaseContext,
  { messageFeedId, segment }: { messageFeedId: string; segment: number },
): Promise<ExpectedEvent> {
  const { messageFeeds } = gateway.services.store.collections;
  const feed = await messageFeeds.findOne({ networkId: 'default', messageFeedId });
  const path = `default/marker/channel/${feed!.channelInternalId}/message/${messageFeedId}`;
  return [type, path, { messageFeedId, segment }];
}
