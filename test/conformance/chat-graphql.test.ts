import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Connection {
  edges: Array<{ cursor: string; node: { segment: number; userId: string; channelId: string } }>;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}
const PAGE = 'edges { cursor node { ID } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** Pages through a connection forward and backward. @returns the ids in both directions */
async function walk(list: string, id: 'segment' | 'userId' | 'channelId', wrap: (list: string) => string) {
  const ask = async (args: string): Promise<Connection> => {
    const { data, errors } = await gateway.graphql(wrap(`${list.replace('ARGS', args)} { ${PAGE.replace('ID', id)} }`));
    expect(errors).toBeUndefined();
    const outer = Object.values(data)[0] as Connection & Record<string, Connection>;
    return outer.edges ? outer : Object.values(outer)[0]!;
  };
  const there: unknown[] = [];
  let page = await ask('first: 2');
  for (;;) {
    there.push(...page.edges.map(({ node }) => node[id]));
    if (!page.pageInfo.hasNextPage) break;
    page = await ask(`first: 2, after: "${page.pageInfo.endCursor}"`);
  }
  const back: unknown[] = [];
  page = await ask('last: 2');
  for (;;) {
    back.unshift(...page.edges.map(({ node }) => node[id]));
    if (!page.pageInfo.hasPreviousPage) break;
    page = await ask(`last: 2, before: "${page.pageInfo.startCursor}"`);
  }
  return { there, back };
}

test('chat lists page forward and backward in the same order', async () => {
  const messages = await walk(
    'messages(ARGS)',
    'segment',
    (list) => `{ messageFeed(messageFeedId: "${CHAT.feed}") { ${list} } }`,
  );
  expect(messages.there).toEqual([6, 5, 4, 3, 2, 1]);
  expect(messages.back).toEqual(messages.there);
  const ascending = await walk(
    'messages(sortBy: SEGMENT_ASC, ARGS)',
    'segment',
    (list) => `{ messageFeed(messageFeedId: "${CHAT.feed}") { ${list} } }`,
  );
  expect(ascending.there).toEqual([1, 2, 3, 4, 5, 6]);
  expect(ascending.back).toEqual(ascending.there);
  const members = await walk(
    'members(ARGS)',
    'userId',
    (list) => `{ channel(channelId: "gardeners-chat") { ${list} } }`,
  );
  expect(members.there.length).toBeGreaterThan(10);
  expect(members.back).toEqual(members.there);
  const channels = await walk('viewerChannels(ARGS)', 'channelId', (list) => `{ ${list} }`);
  expect(channels.there).toContain('alice-and-bob');
  expect(new Set(channels.there).size).toBe(channels.there.length);
  expect(channels.back).toEqual(channels.there);
});

test('global ids resolve to records visible to the viewer only', async () => {
  const { data } = await gateway.graphql<{
    channel: Record<string, { id: string; edges: Array<{ node: { id: string } }> }> & { id: string };
  }>(
    '{ channel(channelId: "alice-and-bob") { id viewerMembership { id } messageFeeds { edges { node { id lastMessage { id } } } } } }',
  );
  const feed = data.channel.messageFeeds!.edges[0]!.node as { id: string; lastMessage?: { id: string } };
  const ids = [data.channel.id, data.channel.viewerMembership!.id, feed.id, feed.lastMessage!.id];
  const ask = async (as: string) =>
    (
      await gateway.graphql<{ nodes: Array<{ __typename: string } | null> }>(
        'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }',
        { as, variables: { ids } },
      )
    ).data.nodes;
  expect((await ask('bob')).map((node) => node?.__typename)).toEqual([
    'Channel',
    'ChannelUser',
    'MessageFeed',
    'Message',
  ]);
  expect(await ask('erin')).toEqual([null, null, null, null]);
});

test('lists inside a channel fail with an error code for banned users without failing other fields', async () => {
  const { data, errors } = await gateway.graphql(
    '{ channel(channelId: "seed-exchange") { displayName members { edges { node { userId } } } messageFeeds { edges { node { name } } } messagePreview { data } } }',
    { as: 'dave' },
  );
  expect(data).toEqual({
    channel: { displayName: 'Seed exchange', members: null, messageFeeds: null, messagePreview: null },
  });
  expect(errors!.map((error) => [error.path!.join('.'), error.extensions!.code]).sort()).toEqual([
    ['channel.members', 'BANNED'],
    ['channel.messageFeeds', 'BANNED'],
  ]);
});

test('expected errors of mutations are members of the result union', async () => {
  const { data, errors } = await gateway.graphql(
    `mutation {
      read: markRead(input: { messageFeedId: "gone", readToSegment: 1 }) { ... on OperationError { code } }
      delivered: markDelivering(input: { messageFeedId: "${CHAT.feed}", messageId: "gone" }) { ... on OperationError { code } }
      reading: keepReading(input: { messageFeedIds: [] }) { ... on OperationError { code detail } }
      role: addChannelRole(input: { channelId: "gardeners-chat", role: "global-admin", userIds: ["bob"] }) { ... on OperationError { code } }
      flag: flagMessage(input: { messageId: "gone" }) { ... on OperationError { code } }
    }`,
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    read: { code: 'NOT_FOUND' },
    delivered: { code: 'NOT_FOUND' },
    reading: { code: 'INVALID_PARAMETERS', detail: ['messageFeedIds: at least 1'] },
    role: { code: 'PERMISSION_DENIED' },
    flag: { code: 'NOT_FOUND' },
  });
});

test.each([
  ['channels(channelIds: $ids) { channelId }', 10],
  ['messageFeeds(messageFeedIds: $ids) { name }', 100],
  ['messages(messageIds: $ids) { data }', 100],
  ['viewerFeedMarkers(messageFeedIds: $ids) { readToSegment }', 100],
  ['viewerEntityMarkers(entityIds: $ids) { unreadCount }', 100],
])('%s accepts at most %i ids', async (field, max) => {
  const ask = (count: number) =>
    gateway.graphql(`query ($ids: [String!]!) { ${field} }`, {
      variables: { ids: Array.from({ length: count }, (_, index) => `x${index}`) },
    });
  expect((await ask(max)).errors).toBeUndefined();
  expect((await ask(max + 1)).errors![0]!.extensions!.code).toBe('INVALID_PARAMETERS');
});

test('a preview never contains the content of a deleted message', async () => {
  const { messages } = gateway.services.store.collections;
  const query = `{ messageFeed(messageFeedId: "${CHAT.feed}") { messagePreviewId messagePreview { data } channel { messagePreviewId messagePreview { data } } } }`;
  interface Shown {
    messagePreviewId: string;
    messagePreview: { data: object };
    channel?: Shown;
  }
  const shown = async () => (await gateway.graphql<{ messageFeed: Shown }>(query, { as: 'carol' })).data.messageFeed;
  const before = await shown();
  const messageIds = [before.messagePreviewId, before.channel!.messagePreviewId];
  const ofThem = { networkId: 'default', messageId: { $in: messageIds } };
  expect([before.messagePreview.data, before.channel!.messagePreview.data]).not.toContainEqual({});
  await messages.updateMany(ofThem, { $set: { isDeleted: true } });
  try {
    const after = await shown();
    expect([after.messagePreview.data, after.channel!.messagePreview.data]).toEqual([{}, {}]);
  } finally {
    await messages.updateMany(ofThem, { $set: { isDeleted: false } });
  }
});

test('a page around a message continues in both directions', async () => {
  const ask = async (around: string, limit: number, more = '') =>
    gateway.rest(
      `/api/v5/messages?messageFeedId=${CHAT.feed}&options[limit]=${limit}&options[around]=${around}${more}`,
    );
  const segmentsOf = ({ body }: { body: { messages: Array<{ segment: number }> } }) =>
    body.messages.map(({ segment }) => segment);
  const all = (await gateway.rest(`/api/v5/messages?messageFeedId=${CHAT.feed}&options[limit]=100`)).body.messages;
  const { messageId, segment } = all.at(-3);
  const page = await ask(messageId, 3);
  expect(segmentsOf(page)).toEqual([segment + 1, segment, segment - 1]);
  expect(segmentsOf(await ask(messageId, 1))).toEqual([segment]);
  expect(segmentsOf(await ask(messageId, 3, '&options[sortBy]=segmentAsc'))).toEqual([
    segment - 1,
    segment,
    segment + 1,
  ]);
  const { next, previous } = page.body.paging;
  const readPage = (token: string) =>
    gateway.rest(`/api/v5/messages?messageFeedId=${CHAT.feed}&options[token]=${encodeURIComponent(token)}`);
  expect(segmentsOf(await readPage(next))[0]).toBe(segment - 2);
  expect(segmentsOf(await readPage(previous)).at(-1)).toBe(segment + 2);
  expect((await ask(CHAT.message('shears'), 3)).status).toBe(404);
  expect((await ask('no-such', 3)).status).toBe(404);
  for (const token of [next, previous]) {
    const repeated = await ask(messageId, 3, `&options[token]=${encodeURIComponent(token)}`);
    expect(segmentsOf(repeated)).toEqual(segmentsOf(await readPage(token)));
  }
});
