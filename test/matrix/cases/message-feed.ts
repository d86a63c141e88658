import { PLACE_IDS } from '../actors.ts';
import type { Fixtures } from '../fixtures.ts';
import { emptyIn, type MatrixCase, mutationCase } from '../matrix-case.ts';

const PLACES = [
  ['in a public channel', PLACE_IDS.channel],
  ['in a private channel', PLACE_IDS.privateChannel],
] as const;

async function feedOf(fixtures: Fixtures, channelId: string) {
  const { channels } = fixtures.gateway.services.store.collections;
  return { messageFeedId: (await channels.findOne({ networkId: 'default', channelId }))!.defaultMessageFeedId };
}

/** An additional message feed of a channel. */
async function createFeed(fixtures: Fixtures, channelId: string): Promise<{ messageFeedId: string }> {
  const { messageFeeds } = fixtures.gateway.services.store.collections;
  await messageFeeds.deleteMany({ networkId: 'default', channelId, isDefault: false, lastSegment: 0 });
  const payload = await fixtures.mutate<{ messageFeed: { messageFeedId: string } }>(
    'moderator',
    'createMessageFeed',
    { channelId, name: 'Aside' },
    'messageFeed { messageFeedId }',
  );
  return payload.messageFeed;
}

export const MESSAGE_FEED_CASES: MatrixCase[] = PLACES.flatMap(([situation, channelId]): MatrixCase[] => [
  {
    operation: 'messageFeed',
    situation,
    document: 'query ($messageFeedId: String!) { answer: messageFeed(messageFeedId: $messageFeedId) { name } }',
    prepare: (fixtures) => feedOf(fixtures, channelId),
    rest: ({ messageFeedId }) => ({ method: 'GET', path: `/api/v5/message-feeds/${messageFeedId}` }),
  },
  {
    operation: 'messageFeeds',
    situation,
    document: 'query ($messageFeedId: String!) { answer: messageFeeds(messageFeedIds: [$messageFeedId]) { name } }',
    prepare: (fixtures) => feedOf(fixtures, channelId),
    isAbsent: (answer) => (answer as unknown[]).length === 0,
    isAbsentInRest: emptyIn('messageFeeds'),
    rest: ({ messageFeedId }) => ({
      method: 'GET',
      path: `/api/v5/message-feeds/list?messageFeedIds=${messageFeedId}`,
    }),
  },
  {
    operation: 'messageFeedsByIds',
    situation,
    document:
      'query ($messageFeedId: String!) { answer: messageFeedsByIds(messageFeedIds: [$messageFeedId]) { name } }',
    prepare: (fixtures) => feedOf(fixtures, channelId),
    isAbsent: (answer) => (answer as unknown[]).length === 0,
  },
  mutationCase('createMessageFeed', situation, {
    select: 'messageFeed { name }',
    prepare: async (fixtures) => {
      const { channels, messageFeeds } = fixtures.gateway.services.store.collections;
      const { _id } = (await channels.findOne({ networkId: 'default', channelId }))!;
      await messageFeeds.deleteMany({ networkId: 'default', channelId, isDefault: false, lastSegment: 0 });
      return { channelId: _id.toHexString(), name: 'Aside' };
    },
    rest: ({ input }) => ({ method: 'POST', path: '/api/v5/message-feeds', body: input as object }),
  }),
  mutationCase('updateMessageFeed', situation, {
    select: 'messageFeed { name }',
    prepare: async (fixtures) => ({ ...(await createFeed(fixtures, channelId)), name: 'Renamed' }),
    rest: ({ input }) => {
      const { messageFeedId, name } = input as { messageFeedId: string; name: string };
      return { method: 'PUT', path: `/api/v5/message-feeds/${messageFeedId}`, body: { name } };
    },
  }),
  mutationCase('deleteMessageFeed', situation, {
    select: 'messageFeed { name }',
    prepare: (fixtures) => createFeed(fixtures, channelId),
    rest: ({ input }) => ({
      method: 'DELETE',
      path: `/api/v5/message-feeds/${(input as { messageFeedId: string }).messageFeedId}`,
    }),
  }),
]);
