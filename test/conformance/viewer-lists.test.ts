import { gql, InMemoryCache } from '@apollo/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestNetwork, type TestGateway } from '../support/gateway.ts';
import { ask, successfulMutations } from '../support/mutate.ts';
import { sseStream } from '../support/sse.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof successfulMutations>;
beforeAll(async () => {
  gateway = await openTestNetwork();
  mutate = successfulMutations(gateway);
});
afterAll(() => gateway.close());

const idsOf = (connection: { edges: Array<{ node: Record<string, string> }> }, name: string) =>
  connection.edges.map(({ node }) => node[name]);

test('the messages of a channel are those of its default feed, with the same filters and order', async () => {
  const { messageId } = (
    await ask(
      gateway,
      '{ channel(channelId: "gardeners-chat") { messages(last: 2) { edges { node { messageId } } } } }',
    )
  ).channel.messages.edges[0].node;
  const lists = `messages(first: 3, sortBy: SEGMENT_ASC) { edges { node { messageId } } pageInfo { endCursor } }
    around: messages(first: 2, around: "${messageId}") { edges { node { messageId } } }
    deleted: messages(isDeleted: true) { edges { node { messageId } } }`;
  const { channel } = await ask(
    gateway,
    `{ channel(channelId: "gardeners-chat") { ${lists} defaultMessageFeedId defaultMessageFeed { messageFeedId ${lists} } } }`,
  );
  const { defaultMessageFeed: feed } = channel;
  expect(feed.messageFeedId).toBe(channel.defaultMessageFeedId);
  expect(channel.messages.edges).toHaveLength(3);
  for (const list of ['messages', 'around', 'deleted']) {
    expect(idsOf(channel[list], 'messageId'), list).toEqual(idsOf(feed[list], 'messageId'));
  }
  const next = `messages(first: 1, sortBy: SEGMENT_ASC, after: "${channel.messages.pageInfo.endCursor}") { edges { node { segment } } }`;
  const page = await ask(gateway, `{ channel(channelId: "gardeners-chat") { ${next} } }`);
  expect(page.channel.messages.edges).toEqual([{ node: { segment: 4 } }]);
  const elsewhere = await gateway.graphql(`{ channel(channelId: "alice-and-bob") { ${next} } }`);
  expect(elsewhere.errors?.[0]).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
});

test('a banned user gets an error in place of the messages, and no default feed', async () => {
  await mutate('alice', 'createChannel', { channelId: 'pergola', displayName: 'Pergola', userIds: ['bob'] });
  await mutate('alice', 'sendMessage', { channelId: 'pergola', data: { text: 'Secret' } });
  await mutate('alice', 'banChannelMembers', { channelId: 'pergola', userIds: ['bob'] });
  const query =
    '{ channel(channelId: "pergola") { defaultMessageFeed { name } messages { edges { node { data } } } } }';
  const { data, errors } = await gateway.graphql(query, { as: 'bob' });
  expect(data).toEqual({ channel: { defaultMessageFeed: null, messages: null } });
  expect(errors).toMatchObject([{ path: ['channel', 'messages'], extensions: { code: 'BANNED' } }]);
});

test('the viewer has the channels and communities of the older lists; other users have none', async () => {
  const mine =
    'channels(first: 50, sortBy: VIEWER_ACTIVITY) { edges { node { channelId } } } latest: channels(first: 50) { edges { node { channelId } } } communities(first: 50) { edges { node { communityId } } } unreadCounts { unreadCount }';
  const { viewer, ...older } = await ask(
    gateway,
    `{ viewer { ${mine} }
      viewerChannels(first: 50) { edges { node { channelId } } }
      networkChannels(first: 50, filter: MEMBER) { edges { node { channelId } } }
      viewerCommunities(first: 50) { edges { node { communityId } } }
      viewerMarker { unreadCount } }`,
  );
  expect(viewer.channels.edges.length).toBeGreaterThan(2);
  expect(viewer.channels.edges).toEqual(older.viewerChannels.edges);
  expect(viewer.latest.edges).toEqual(older.networkChannels.edges);
  expect(viewer.communities.edges).toEqual(older.viewerCommunities.edges);
  expect(viewer.unreadCounts).toEqual(older.viewerMarker);
  const { user } = await ask(gateway, `{ user(userId: "alice") { ${mine} } }`, { as: 'bob' });
  expect(user).toEqual({ channels: null, latest: null, communities: null, unreadCounts: null });
});

test('channels of the viewer page by cursor and filter by type', async () => {
  const list = async (args: string) =>
    (
      await ask(
        gateway,
        `{ viewer { channels(${args}) { edges { node { channelId type } } pageInfo { hasNextPage endCursor } } } }`,
      )
    ).viewer.channels;
  const whole = await list('first: 50');
  const walked: unknown[] = [];
  for (let page = await list('first: 2'); ; ) {
    walked.push(...page.edges);
    if (!page.pageInfo.hasNextPage) break;
    page = await list(`first: 2, after: "${page.pageInfo.endCursor}"`);
  }
  expect(walked).toEqual(whole.edges);
  const conversations = await list('first: 50, types: [CONVERSATION]');
  expect(conversations.edges.map(({ node }: { node: { type: string } }) => node.type)).toContain('CONVERSATION');
  expect(conversations.edges).toEqual(
    whole.edges.filter(({ node }: { node: { type: string } }) => node.type === 'CONVERSATION'),
  );
  const refused = await gateway.graphql(
    '{ viewer { channels(types: [LIVE], sortBy: VIEWER_ACTIVITY) { edges { cursor } } } }',
  );
  expect(refused.errors?.[0]).toMatchObject({ extensions: { code: 'INVALID_PARAMETERS' } });
});

const MARKERS = `{
  viewerMarker { __typename id }
  channel(channelId: "gardeners-chat") {
    viewerMarker { __typename id channel { channelId } }
    defaultMessageFeed { viewerMarker { __typename id feed { __typename id } } }
    messages(first: 1) { edges { node { messageId } } }
  }
}`;

test('markers have global ids, which resolve for their own user only', async () => {
  const { viewerMarker, channel } = await ask(gateway, MARKERS);
  const { messageMarkers } = await ask(
    gateway,
    `{ messageMarkers(messageIds: ["${channel.messages.edges[0].node.messageId}"]) { __typename id } }`,
  );
  expect(channel.viewerMarker.channel).toEqual({ channelId: 'gardeners-chat' });
  const { feed, ...ofFeed } = channel.defaultMessageFeed.viewerMarker;
  const own = [viewerMarker, { ...channel.viewerMarker, channel: undefined }, ofFeed];
  const shared = [feed, messageMarkers[0]];
  const ids = [...own, ...shared].map(({ id }) => id);
  const nodes = async (as: string) =>
    (await ask(gateway, 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { as, variables: { ids } }))
      .nodes;
  expect(await nodes('alice')).toEqual(
    [...own, ...shared].map(({ __typename, id }: { __typename: string; id: string }) => ({ __typename, id })),
  );
  expect(await nodes('bob')).toEqual([
    null,
    null,
    null,
    ...shared.map(({ __typename, id }: { __typename: string; id: string }) => ({ __typename, id })),
  ]);
});

test('unread counts in a normalized cache follow the events of messages and the payload of markRead', async () => {
  const cache = new InMemoryCache();
  const INBOX = `{ viewer { id unreadCounts { id unreadCount } channels(first: 50) { edges { node { id channelId viewerMarker { id unreadCount } } } } } }`;
  const query = cache.transformDocument(gql(INBOX));
  const unread = () => {
    // biome-ignore lint/suspicious/noExplicitAny: the result of the query above
    const { viewer } = cache.readQuery<any>({ query });
    const shared = viewer.channels.edges.find(
      ({ node }: { node: { channelId: string } }) => node.channelId === 'alice-and-bob',
    );
    return [viewer.unreadCounts.unreadCount, shared.node.viewerMarker.unreadCount];
  };
  const named = (text: string) => text.replaceAll('{ ', '{ __typename ');
  await mutate('bob', 'markChannelRead', { channelId: 'alice-and-bob' });
  cache.writeQuery({ query, data: await ask(gateway, named(INBOX), { as: 'bob' }) });
  const [total, before] = unread();
  expect(before).toBe(0);

  const CREATED =
    'subscription { messageCreated { chatMessage { id channel { id viewerMarker { id unreadCount userMarker { id unreadCount } } } } } }';
  const stream = await sseStream(
    gateway.url,
    { query: named(CREATED).replace('subscription { __typename', 'subscription {') },
    { token: await gateway.tokenOf('bob') },
  );
  await mutate('alice', 'sendMessage', { channelId: 'alice-and-bob', data: { text: 'Hello' } });
  const [event] = await stream.until(1);
  stream.stop();
  cache.write({ query: cache.transformDocument(gql(CREATED)), result: event.data, dataId: 'ROOT_SUBSCRIPTION' });
  expect(unread()).toEqual([total! + 1, 1]);

  const MOVED = 'userMarker { id unreadCount } userEntityMarkers { id unreadCount }';
  const payload = await mutate(
    'bob',
    'markChannelRead',
    { channelId: 'alice-and-bob' },
    named(`{ ${MOVED} }`).slice(1, -1),
  );
  cache.write({
    query: cache.transformDocument(gql(`mutation { markChannelRead { ${MOVED} } }`)),
    result: { markChannelRead: payload },
    dataId: 'ROOT_MUTATION',
  });
  expect(unread()).toEqual([total, 0]);
});
