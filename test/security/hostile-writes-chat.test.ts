import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
let before: number[];
const counts = () => {
  const { channels, channelUsers, messageFeeds, messages, videoStreams, rooms } = gateway.services.store.collections;
  return Promise.all(
    [channels, channelUsers, messageFeeds, messages, videoStreams, rooms].map((one) => one.countDocuments({})),
  );
};
beforeAll(async () => {
  gateway = await startTestGateway();
  mutate = mutations(gateway);
  await gateway.tokenOf('alice');
});
afterEach(async () => expect(await findInconsistencies(gateway.services.store.db)).toEqual([]));
afterAll(() => gateway.close());

/** Free-form data that must be stored and returned unchanged. */
const VERBATIM: object[] = [
  { $where: 'sleep(1000)', $ne: null, 'a.b': { $gt: '' }, '$set.x': 1 },
  { constructor: 'text', prototype: [], toString: { valueOf: 1 } },
  { text: 'NUL \0 and \u202eright to left\u202c, \u{1f331}' },
  { '': 'empty key', ' ': ['\u2028', 1e308, -0.5, null, true] },
];
const DEEP = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object;
const WIDE = { text: 'x'.repeat(70_000) };
const REFUSED: object[] = [DEEP, WIDE, { '\ud800': 1 }, { half: '\udfff' }, { 'nul\0key': 1 }];

const WRITES: Array<[operation: string, as: string, input: object, select: string]> = [
  ['sendMessage', 'alice', { messageFeedId: CHAT.feed, data: { text: 'Hi' } }, 'created: chatMessage { metadata }'],
  ['createChannel', 'alice', { displayName: 'Shed' }, 'created: channel { metadata }'],
  ['createConversation', 'alice', { userIds: ['bob'], isDistinct: false }, 'created: channel { metadata }'],
  ['createVideoStream', 'alice', { title: 'Live' }, 'created: videoStream { metadata }'],
  ['createRoom', 'alice', { title: 'Room', targetType: 'USER', targetId: 'alice' }, 'created: room { metadata }'],
];

describe.each(WRITES)('%s', (operation, as, input, select) => {
  test('stores free-form data unchanged', async () => {
    for (const metadata of VERBATIM) {
      const { created } = await mutate(as, operation, { ...input, metadata }, select);
      expect(JSON.stringify(created.metadata)).toBe(JSON.stringify(metadata));
    }
  });

  test('rejects free-form data that is too deep, too large or not valid text, and writes nothing', async () => {
    before = await counts();
    for (const metadata of REFUSED) {
      const answer = await mutate(as, operation, { ...input, metadata }, select);
      expect(answer).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['metadata'] });
    }
    expect(await counts()).toEqual(before);
  });
});

test('stores the content of a custom message unchanged', async () => {
  for (const data of VERBATIM) {
    const input = { messageFeedId: CHAT.feed, dataType: 'CUSTOM', data };
    const { chatMessage } = await mutate('alice', 'sendMessage', input, 'chatMessage { messageId data }');
    expect(JSON.stringify(chatMessage.data)).toBe(JSON.stringify(data));
    const change = { messageId: chatMessage.messageId, data: { ...data, more: 1 } };
    const edited = await mutate('alice', 'updateMessage', change, 'chatMessage { data }');
    expect(JSON.stringify(edited.chatMessage.data)).toBe(JSON.stringify(change.data));
  }
});

/** Names with a special meaning in JavaScript, MongoDB or text layout. */
const NAMES = ['__proto__', 'constructor', 'toString', '$ne', 'a.b', '\u202eevil', 'NUL\0NUL', ' '];

test('treats special names as text', async () => {
  for (const name of NAMES) {
    const created = await mutate(
      'alice',
      'createChannel',
      { channelId: name, displayName: name, tags: [name] },
      'channel { channelId displayName tags }',
    );
    expect(created.channel).toEqual({ channelId: name, displayName: name, tags: [name] });
    const sent = await mutate(
      'alice',
      'sendMessage',
      { channelId: name, data: { text: name }, tags: [name], referenceId: name },
      'chatMessage { messageId channelId data tags referenceId }',
    );
    expect(sent.chatMessage).toMatchObject({ channelId: name, data: { text: name }, tags: [name], referenceId: name });
  }
});

const LONG = 'x'.repeat(901);
const IDS: Array<[operation: string, input: object]> = [
  ['sendMessage', { messageFeedId: LONG, data: { text: 'x' } }],
  ['sendMessage', { channelId: LONG, data: { text: 'x' } }],
  ['sendMessage', { messageFeedId: CHAT.feed, data: { text: 'x' }, parentId: LONG }],
  ['updateMessage', { messageId: LONG, tags: [] }],
  ['deleteMessage', { messageId: LONG }],
  ['unflagMessage', { messageId: LONG }],
  ['clearMessageFlags', { messageId: LONG }],
  ['joinChannel', { channelId: LONG }],
  ['leaveChannel', { channelId: LONG }],
  ['updateChannel', { channelId: LONG }],
  ['deleteChannel', { channelId: LONG }],
  ['muteChannel', { channelId: LONG, mutePeriod: 1 }],
  ['addChannelMembers', { channelId: 'seed-exchange', userIds: [LONG] }],
  ['banChannelMembers', { channelId: 'seed-exchange', userIds: ['\ud800'] }],
  ['createConversation', { userIds: [LONG] }],
  ['createMessageFeed', { channelId: LONG, name: 'x' }],
  ['updateMessageFeed', { messageFeedId: LONG, name: 'x' }],
  ['deleteMessageFeed', { messageFeedId: LONG }],
  ['markChannelRead', { channelId: LONG }],
  ['markChannelsSeen', { channels: [{ channelId: LONG }] }],
  ['startVideoStream', { streamId: LONG }],
  ['deleteRoom', { roomId: LONG }],
];

test.each(IDS)('%s rejects an id that is too long or not valid text', async (operation, input) => {
  before = await counts();
  expect(await mutate('alice', operation, input, 'clientMutationId')).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await counts()).toEqual(before);
});

test('rejects operator objects in place of ids and texts over REST', async () => {
  const calls: Array<[method: string, path: string, body: object]> = [
    ['POST', '/api/v5/messages', { messageFeedId: { $gt: '' }, data: { text: 'x' } }],
    ['POST', '/api/v5/messages', { messageFeedId: CHAT.feed, data: { text: { $ne: 1 } } }],
    ['POST', '/api/v5/messages', { messageFeedId: CHAT.feed, data: { text: 'x' }, tags: [{ $ne: 1 }] }],
    ['POST', '/api/v3/channels/conversation', { userIds: { $ne: null } }],
    ['POST', '/api/v3/channels', { displayName: { $regex: '.*' } }],
    ['PUT', '/api/v3/channels/gardeners-chat/users/ban', { userIds: [{ $ne: null }] }],
    ['PUT', '/api/v2/channel/gardeners-chat/mute', { mutePeriod: { $gt: 0 } }],
    ['POST', '/api/v5/message-feeds', { channelId: { $ne: '' }, name: 'x' }],
    ['POST', '/api/v1/markers/sync', { deviceLastSyncAt: { $gt: '' } }],
  ];
  before = await counts();
  for (const [method, path, body] of calls) {
    const { status } = await gateway.rest(path, { method, body });
    expect([path, status]).toEqual([path, 422]);
  }
  expect(await counts()).toEqual(before);
});

test('rejects keys that could reach a prototype over GraphQL and REST', async () => {
  before = await counts();
  for (const metadata of ['{"__proto__": {"isAdmin": true}}', '{"constructor": {"prototype": {"isAdmin": true}}}']) {
    const body = `{"messageFeedId": "${CHAT.feed}", "data": {"text": "x"}, "metadata": ${metadata}}`;
    expect((await gateway.rest('/api/v5/messages', { method: 'POST', body })).status).toBe(400);
    const query = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename } }';
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await gateway.tokenOf('alice')}` },
      body: `{"query": ${JSON.stringify(query)}, "variables": {"input": ${body}}}`,
    });
    expect(response.status).toBe(400);
  }
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  expect(await counts()).toEqual(before);
});

test('rejects 16 MB of metadata with 413', async () => {
  before = await counts();
  const body = { messageFeedId: CHAT.feed, data: { text: 'x' }, metadata: { a: 'x'.repeat(16 * 1_048_576) } };
  const { status } = await gateway.rest('/api/v5/messages', { method: 'POST', body });
  expect(status).toBe(413);
  expect(await counts()).toEqual(before);
});

test('a channel whose public id equals the internal id of another channel does not receive its calls', async () => {
  await gateway.graphql(
    `mutation { createChannel(input: { channelId: "${CHAT.channel}", displayName: "Not it" }) { __typename } }`,
    { as: 'erin' },
  );
  const read = await gateway.rest(`/api/v1/markers/channels/${CHAT.channel}/mark-read`, { method: 'PUT', as: 'bob' });
  expect([read.status, read.body.userEntityMarkers?.[0]?.entityId]).toEqual([200, CHAT.channel]);
  const body = { channelId: CHAT.channel, name: 'Aside' };
  const created = await gateway.rest('/api/v5/message-feeds', { method: 'POST', as: 'alice', body });
  expect(created.body.messageFeeds?.[0]?.channelPublicId).toBe('gardeners-chat');
});
