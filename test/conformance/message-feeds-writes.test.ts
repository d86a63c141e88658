import { ObjectId } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { insertIndexed } from '../support/insert-indexed.ts';
import { mutations } from '../support/mutate.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';

let gateway: TestGateway;
let mutate: ReturnType<typeof mutations>;
beforeAll(async () => {
  gateway = await startTestGateway();
  mutate = mutations(gateway);
});
afterEach(async () => expect(await findInconsistencies(gateway.services.store.db)).toEqual([]));
afterAll(() => gateway.close());

const FEED = `messageFeed { messageFeedId name isDefault isDeleted editedAt channelType viewerCanEdit viewerCanDelete
  viewerMarker { unreadCount } channel { messageCount messagePreviewId } }`;
const channelId = 'gardeners-chat';
const create = (as: string, name = 'Aside') => mutate(as, 'createMessageFeed', { channelId, name }, FEED);
const total = async (as: string) =>
  (await gateway.graphql<{ viewerMarker: { unreadCount: number } }>('{ viewerMarker { unreadCount } }', { as })).data
    .viewerMarker.unreadCount;

test('a moderator creates, renames and deletes a feed with its messages', async () => {
  const { messageFeed } = await create('alice');
  const { messageFeedId } = messageFeed;
  expect(messageFeed).toMatchObject({
    name: 'Aside',
    isDefault: false,
    channelType: 'COMMUNITY',
    viewerCanDelete: true,
  });
  const before = { total: await total('bob'), ...messageFeed.channel };
  const send = () =>
    mutate('carol', 'sendMessage', { messageFeedId, data: { text: 'x' } }, 'chatMessage { messageId }');
  await send();
  const { chatMessage } = await send();
  expect(await total('bob')).toBe(before.total + 2);
  const renamed = await mutate('alice', 'updateMessageFeed', { messageFeedId, name: 'Beside' }, FEED);
  expect(renamed.messageFeed).toMatchObject({ name: 'Beside', editedAt: expect.any(String) });
  const { messageFeed: deleted } = await mutate('alice', 'deleteMessageFeed', { messageFeedId }, FEED);
  expect(deleted).toMatchObject({ isDeleted: true, viewerMarker: null });
  expect(deleted.channel).toEqual({ messageCount: before.messageCount, messagePreviewId: before.messagePreviewId });
  expect(await total('bob')).toBe(before.total);
  expect(await send()).toMatchObject({ code: 'NOT_FOUND' });
  expect(
    await mutate('alice', 'deleteMessage', { messageId: chatMessage.messageId }, 'clientMutationId'),
  ).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await mutate('alice', 'deleteMessageFeed', { messageFeedId }, FEED)).toMatchObject({ code: 'NOT_FOUND' });
  // Moderators who still see its messages cannot change them.
  const { data } = await gateway.graphql<{ message: object }>(
    `{ message(messageId: "${chatMessage.messageId}") { isDeleted viewerCanEdit viewerCanDelete } }`,
    { as: 'alice' },
  );
  expect(data.message).toEqual({ isDeleted: false, viewerCanEdit: false, viewerCanDelete: false });
  const reaction = { referenceType: 'MESSAGE', referenceId: chatMessage.messageId, reactionName: 'like' };
  for (const [operation, input] of [
    ['addReaction', reaction],
    ['flagMessage', { messageId: chatMessage.messageId }],
    ['markRead', { messageFeedId, readToSegment: 1 }],
    ['keepReading', { messageFeedIds: [messageFeedId] }],
  ] as const)
    expect([operation, await mutate('alice', operation, input, 'clientMutationId')]).toMatchObject([
      operation,
      { code: 'NOT_FOUND' },
    ]);
});

test('permanent deletion removes all messages of a feed, however many', async () => {
  const { messageFeedId } = (await create('alice', 'Secrets')).messageFeed;
  const { messages, messageFeeds, channels } = gateway.services.store.collections;
  const of = { networkId: 'default', messageFeedId };
  const input = { messageFeedId, data: { text: 'Secret' }, tags: ['secret'], metadata: { secret: true } };
  const { chatMessage } = await mutate('alice', 'sendMessage', input, 'chatMessage { messageId }');
  await addMessages(1_500);
  const select = 'messageFeed { name isDeleted lastMessage { data } } hasMore';
  const erase = (as: string, more: object = { permanent: true }) =>
    mutate(as, 'deleteMessageFeed', { messageFeedId, ...more }, select);
  expect(await erase('bob')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await erase('alice')).toMatchObject({
    messageFeed: { name: '', isDeleted: true, lastMessage: { data: {} } },
    hasMore: true,
  });
  expect(await messages.countDocuments({ ...of, 'data.text': 'Secret' })).toBe(501);
  expect(await erase('alice', {})).toMatchObject({ code: 'NOT_FOUND' });
  expect(await erase('bob')).toMatchObject({ code: 'NOT_FOUND' });
  const rest = () => gateway.rest(`/api/v5/message-feeds/${messageFeedId}?permanent=true`, { method: 'DELETE' });
  for (const hasMore of [false, false]) expect((await rest()).body).toMatchObject({ hasMore, messageFeeds: [{}] });
  expect(await messages.countDocuments({ ...of, 'data.text': 'Secret' })).toBe(0);
  const { data } = await gateway.graphql<{ message: object }>(
    `{ message(messageId: "${chatMessage.messageId}") { data tags metadata } }`,
    { as: 'admin' },
  );
  expect(data.message).toEqual({ data: {}, tags: [], metadata: {} });

  /** Inserts this many messages, as if they had been sent. */
  async function addMessages(count: number): Promise<void> {
    const { _id, ...one } = (await messages.findOne(of))!;
    const more = Array.from({ length: count }, (_, index) => {
      const id = new ObjectId();
      return { ...one, _id: id, messageId: id.toHexString(), segment: index + 2 };
    });
    await insertIndexed(gateway.services.store.collections, 'messages', more);
    const newest = more.at(-1)!.messageId;
    const counted = { lastMessageId: newest, messagePreviewId: newest };
    await messageFeeds.updateOne(of, { $set: { ...counted, lastSegment: count + 1, childCount: count + 1 } });
    const moved = { $inc: { messageCount: count }, $set: { messagePreviewId: newest } };
    await channels.updateOne({ networkId: 'default', channelId }, moved);
    const { userFeedMarkers } = gateway.services.store.collections;
    const read = { readToSegment: count + 1, deliveredToSegment: count + 1 };
    await userFeedMarkers.updateOne({ networkId: 'default', userId: 'alice', feedId: messageFeedId }, { $set: read });
  }
});

test('the default feed cannot be deleted, and members cannot create feeds', async () => {
  expect(await mutate('alice', 'deleteMessageFeed', { messageFeedId: CHAT.feed }, FEED)).toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(await create('bob')).toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(await create('alice', '')).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['name'] });
  const talk = { messageFeedId: CHAT.conversation, name: 'x' };
  expect(await mutate('alice', 'updateMessageFeed', talk, FEED)).toMatchObject({ code: 'PERMISSION_DENIED' });
});

test('a channel has at most 100 feeds, also with concurrent requests', async () => {
  const { messageFeeds } = gateway.services.store.collections;
  const of = { networkId: 'default', channelId };
  const free = 100 - (await messageFeeds.countDocuments(of));
  const created = await Promise.all(Array.from({ length: free + 3 }, (_, index) => create('alice', `Aside ${index}`)));
  expect(created.filter(({ code }) => code === 'BAD_REQUEST')).toHaveLength(3);
  expect(await messageFeeds.countDocuments(of)).toBe(100);
});

test('REST: create, rename and delete by the internal id of the channel', async () => {
  const call = (method: string, path: string, body?: object) =>
    gateway.rest(`/api/v5/message-feeds${path}`, { as: 'admin', method, ...(body && { body }) });
  const { _id } = (await gateway.services.store.collections.channels.findOne({
    networkId: 'default',
    channelId: 'seed-exchange',
  }))!;
  const created = await call('POST', '', { channelId: _id.toHexString(), name: 'Beans' });
  expect(created.status).toBe(200);
  const { messageFeedId } = created.body.messageFeeds[0];
  expect((await call('PUT', `/${messageFeedId}`, { name: 'Peas' })).body.messageFeeds[0].name).toBe('Peas');
  expect((await call('DELETE', `/${messageFeedId}`)).body.messageFeeds[0].isDeleted).toBe(true);
  const refused = (body: object, refusal: readonly [number, number]) =>
    expectRefusal(gateway, '/api/v5/message-feeds', { method: 'POST', body }, refusal);
  await refused({ channelId: { $ne: 1 }, name: 'x' }, INVALID);
  await refused({ channelId: '0'.repeat(24), name: 'x' }, NOT_FOUND);
});
