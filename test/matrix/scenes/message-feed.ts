import type { Scene } from '../scene.ts';
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
  },
]);
