import { emptyIn, mutationScene, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import type { World } from '../world.ts';

const PLACES = [
  ['in a public channel', STAGE.channel],
  ['in a private channel', STAGE.privateChannel],
] as const;

async function feedOf(world: World, channelId: string) {
  const { channels } = world.gateway.services.store.collections;
  return { messageFeedId: (await channels.findOne({ networkId: 'default', channelId }))!.defaultMessageFeedId };
}

/** A message feed beside the first one of a channel. */
async function aside(world: World, channelId: string): Promise<{ messageFeedId: string }> {
  const { messageFeeds } = world.gateway.services.store.collections;
  await messageFeeds.deleteMany({ networkId: 'default', channelId, isDefault: false, lastSegment: 0 });
  const made = await world.make<{ messageFeed: { messageFeedId: string } }>(
    'moderator',
    'createMessageFeed',
    { channelId, name: 'Aside' },
    'messageFeed { messageFeedId }',
  );
  return made.messageFeed;
}

export const MESSAGE_FEED_SCENES: Scene[] = PLACES.flatMap(([situation, channelId]): Scene[] => [
  {
    operation: 'messageFeed',
    situation,
    document: 'query ($messageFeedId: String!) { answer: messageFeed(messageFeedId: $messageFeedId) { name } }',
    prepare: (world) => feedOf(world, channelId),
    rest: ({ messageFeedId }) => ({ method: 'GET', path: `/api/v5/message-feeds/${messageFeedId}` }),
  },
  {
    operation: 'messageFeeds',
    situation,
    document: 'query ($messageFeedId: String!) { answer: messageFeeds(messageFeedIds: [$messageFeedId]) { name } }',
    prepare: (world) => feedOf(world, channelId),
    isAbsent: (answer) => (answer as unknown[]).length === 0,
    isAbsentInRest: emptyIn('messageFeeds'),
    rest: ({ messageFeedId }) => ({
      method: 'GET',
      path: `/api/v5/message-feeds/list?messageFeedIds=${messageFeedId}`,
    }),
  },
  mutationScene('createMessageFeed', situation, {
    select: 'messageFeed { name }',
    prepare: async (world) => {
      const { channels, messageFeeds } = world.gateway.services.store.collections;
      const { _id } = (await channels.findOne({ networkId: 'default', channelId }))!;
      await messageFeeds.deleteMany({ networkId: 'default', channelId, isDefault: false, lastSegment: 0 });
      return { channelId: _id.toHexString(), name: 'Aside' };
    },
    rest: ({ input }) => ({ method: 'POST', path: '/api/v5/message-feeds', body: input as object }),
  }),
  mutationScene('updateMessageFeed', situation, {
    select: 'messageFeed { name }',
    prepare: async (world) => ({ ...(await aside(world, channelId)), name: 'Anew' }),
    rest: ({ input }) => {
      const { messageFeedId, name } = input as { messageFeedId: string; name: string };
      return { method: 'PUT', path: `/api/v5/message-feeds/${messageFeedId}`, body: { name } };
    },
  }),
  mutationScene('deleteMessageFeed', situation, {
    select: 'messageFeed { name }',
    prepare: (world) => aside(world, channelId),
    rest: ({ input }) => ({
      method: 'DELETE',
      path: `/api/v5/message-feeds/${(input as { messageFeedId: string }).messageFeedId}`,
    }),
  }),
]);
