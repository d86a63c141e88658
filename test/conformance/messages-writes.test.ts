import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHAT, MARKER_ARRAYS } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
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

const FIELDS = `chatMessage { messageId segment dataType data fileId tags metadata parentId referenceId childCount isDeleted
  editedAt flagCount hashFlag { bits } mentions { type userIds } parent { childCount } viewerCanEdit viewerCanDelete
  messageFeed { lastSegment childCount lastMessageId messagePreviewId } channel { messageCount messagePreviewId viewerCanSend } }`;
const send = (as: string, input: object) =>
  mutate(as, 'sendMessage', { messageFeedId: CHAT.feed, data: { text: 'Hello' }, ...input }, FIELDS);
const unread = async (as: string, feed = CHAT.feed) =>
  (
    await gateway.graphql<{ viewerFeedMarkers: Array<Record<string, unknown>> }>(
      `{ viewerFeedMarkers(messageFeedIds: ["${feed}"]) { readToSegment unreadCount isMentioned lastMentionSegment } }`,
      { as },
    )
  ).data.viewerFeedMarkers[0]!;

describe('sending', () => {
  test('assigns the next segment and updates the counters', async () => {
    const before = await unread('heidi');
    const { chatMessage: sent } = await send('alice', {
      tags: ['a', 'a'],
      referenceId: 'LOCAL_1',
      metadata: { 'a.b': { $x: 1 } },
    });
    const { chatMessage: next } = await send('alice', {});
    expect(next.segment).toBe(sent.segment + 1);
    expect(sent).toMatchObject({
      dataType: 'text',
      tags: ['a'],
      referenceId: 'LOCAL_1',
      metadata: { 'a.b': { $x: 1 } },
    });
    expect(next.messageFeed).toMatchObject({ lastSegment: next.segment, lastMessageId: next.messageId });
    expect(next.channel).toMatchObject({ messagePreviewId: next.messageId, viewerCanSend: true });
    expect(await unread('alice')).toMatchObject({ readToSegment: next.segment, unreadCount: 0 });
    expect(await unread('heidi')).toMatchObject({ unreadCount: (before.unreadCount as number) + 2 });
  });

  test('takes a constant number of commands, however many members there are', async () => {
    const commands = await gateway.commandsOf(() => send('alice', { channelId: null }));
    // The message, its words, the counts of feed and channel, the sender's position twice, and the events.
    expect(commands.filter((name) => ['update', 'insert', 'findAndModify'].includes(name)).length).toBeLessThanOrEqual(
      7,
    );
  });

  test('sends to the default feed when only a channel is named', async () => {
    const { chatMessage } = await mutate(
      'bob',
      'sendMessage',
      { channelId: 'gardeners-chat', data: { text: 'Hi' } },
      'chatMessage { messageFeedId }',
    );
    expect(chatMessage.messageFeedId).toBe(CHAT.feed);
    const both = { channelId: 'gardeners-chat', messageFeedId: CHAT.feed, data: { text: 'Hi' } };
    expect(await mutate('bob', 'sendMessage', both, 'clientMutationId')).toMatchObject({ code: 'INVALID_PARAMETERS' });
  });

  test('a reply is counted on its parent until it is deleted', async () => {
    const parentId = CHAT.message('welcome');
    const { chatMessage } = await send('bob', { parentId });
    expect(chatMessage.parent.childCount).toBe(1);
    const { chatMessage: deleted } = await mutate('bob', 'deleteMessage', { messageId: chatMessage.messageId }, FIELDS);
    expect(deleted).toMatchObject({ isDeleted: true, data: {}, parent: { childCount: 0 }, viewerCanEdit: false });
    expect(await send('bob', { parentId: CHAT.message('wrong') })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await send('bob', { parentId: CHAT.message('shears') })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('mentions count for the mentioned users, or for all members', async () => {
    const { chatMessage: named } = await send('alice', {
      mentionedUsers: [{ type: 'USER', userIds: ['bob', 'erin'] }],
    });
    expect(named.mentions).toEqual([{ type: 'USER', userIds: ['bob', 'erin'] }]);
    expect(await unread('bob')).toMatchObject({ isMentioned: true, lastMentionSegment: named.segment });
    const { chatMessage: all } = await send('alice', { mentionedUsers: [{ type: 'CHANNEL' }] });
    expect(await unread('mia')).toMatchObject({ isMentioned: true, lastMentionSegment: all.segment });
    expect(await unread('alice')).toMatchObject({ isMentioned: false });
    const unknown = await send('alice', { mentionedUsers: [{ type: 'USER', userIds: ['nobody-at-all'] }] });
    expect(unknown).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['mentionedUsers'] });
    const many = Array.from({ length: 31 }, (_, index) => `u${index}`);
    expect(await send('alice', { mentionedUsers: [{ type: 'USER', userIds: many }] })).toMatchObject({
      code: 'INVALID_PARAMETERS',
    });
    const { networks } = gateway.services.store.collections;
    const allow = (isAllowed: boolean) =>
      networks.updateOne({ networkId: 'default' }, { $set: { 'settings.chat.mention.isAllowMentionAll': isAllowed } });
    await allow(false);
    expect(await send('alice', { mentionedUsers: [{ type: 'CHANNEL' }] })).toMatchObject({ code: 'FORBIDDEN' });
    await allow(true);
  });

  test.each([
    ['TEXT', {}, ['data', 'text']],
    ['TEXT', { text: '' }, ['data', 'text']],
    ['TEXT', { text: 'x'.repeat(20_001) }, ['data', 'text']],
    ['TEXT', { text: '\ud800' }, ['data']],
    ['IMAGE', {}, ['data', 'fileId']],
    ['IMAGE', { fileId: { $ne: null } }, ['data', 'fileId']],
  ])('rejects data that does not match the type: %#', async (dataType, data, path) => {
    expect(await send('alice', { dataType, data })).toMatchObject({ code: 'INVALID_PARAMETERS', path });
  });

  test('requires files of the sender', async () => {
    const file = await gateway.services.store.collections.files.findOne({ networkId: 'default', userId: 'alice' });
    const { fileId } = file!;
    const { chatMessage } = await send('alice', { dataType: 'IMAGE', data: { caption: 'See' }, fileId });
    expect(chatMessage).toMatchObject({ fileId, data: { caption: 'See', fileId } });
    expect(await send('bob', { dataType: 'FILE', data: { fileId } })).toMatchObject({ code: 'NOT_FOUND' });
    const kept = { messageId: chatMessage.messageId, data: { fileId, caption: 'Mine' } };
    expect((await mutate('alice', 'updateMessage', kept, FIELDS)).chatMessage.data).toEqual(kept.data);
  });

  test('rejects non-members and muted users', async () => {
    expect(await send('erin', {})).toMatchObject({ code: 'FORBIDDEN' });
    expect(await send('dave', {})).toMatchObject({ code: 'NOT_FOUND' });
    expect(await send('bob', { messageFeedId: CHAT.pests })).toMatchObject({ code: 'NOT_FOUND' });
    const { channels, channelUsers } = gateway.services.store.collections;
    const here = { networkId: 'default', channelId: 'gardeners-chat' };
    const muted = (until: Date | null) => ({ $set: { isMuted: true, muteTimeout: until } });
    await channelUsers.updateOne({ ...here, userId: 'bob' }, muted(new Date(Date.now() + 60_000)));
    expect(await send('bob', {})).toMatchObject({ code: 'USER_MUTED' });
    await channelUsers.updateOne({ ...here, userId: 'bob' }, muted(new Date(Date.now() - 1)));
    expect(await send('bob', {})).toMatchObject({ __typename: 'SendMessagePayload' });
    await channels.updateOne(here, muted(null));
    expect(await send('bob', {})).toMatchObject({ code: 'CHANNEL_MUTED' });
    expect(await send('alice', {})).toMatchObject({ __typename: 'SendMessagePayload' });
    await channels.updateOne(here, { $set: { isMuted: false, type: 'broadcast' } });
    expect(await send('bob', {})).toMatchObject({ code: 'FORBIDDEN' });
    expect(await send('alice', {})).toMatchObject({ __typename: 'SendMessagePayload' });
    await channels.updateOne(here, { $set: { type: 'community' } });
  });

  test('applies a rate limit per member and window, except to moderators', async () => {
    const { channels } = gateway.services.store.collections;
    const here = { networkId: 'default', channelId: 'gardeners-chat' };
    await channels.updateOne(here, {
      $set: { isRateLimited: true, rateLimit: 2, rateLimitWindow: 60_000, rateLimitTimeout: null },
    });
    const codes = (as: string) =>
      Promise.all(Array.from({ length: 5 }, () => send(as, {}))).then((sent) =>
        sent.map((one) => one.code ?? 'SENT').sort(),
      );
    expect(await codes('carol')).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED', 'SENT', 'SENT']);
    expect(await codes('alice')).toEqual(Array(5).fill('SENT'));
    // As if a minute had passed.
    const { channelUsers } = gateway.services.store.collections;
    const begun = { $set: { 'rateWindow.startedAt': new Date(Date.now() - 60_000) } };
    await channelUsers.updateOne({ ...here, userId: 'carol' }, begun);
    expect((await codes('carol')).filter((code) => code === 'SENT')).toHaveLength(2);
    await channels.updateOne(here, { $set: { isRateLimited: false } });
  });
});

describe('editing and deleting', () => {
  test('is allowed to the author and to moderators', async () => {
    const { chatMessage } = await send('bob', { tags: ['t'] });
    const { messageId } = chatMessage;
    const edit = (as: string, input: object) => mutate(as, 'updateMessage', { messageId, ...input }, FIELDS);
    expect((await edit('bob', { data: { text: 'Edited' } })).chatMessage).toMatchObject({
      data: { text: 'Edited' },
      tags: ['t'],
    });
    expect((await edit('bob', { tags: null })).chatMessage).toMatchObject({ data: { text: 'Edited' }, tags: [] });
    expect((await edit('alice', { data: { text: 'By a moderator' } })).chatMessage.editedAt).not.toBeNull();
    expect(await edit('carol', { tags: [] })).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await edit('erin', { tags: [] })).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await mutate('carol', 'deleteMessage', { messageId }, FIELDS)).toMatchObject({ code: 'PERMISSION_DENIED' });
    const before = await unread('heidi');
    expect(await mutate('alice', 'deleteMessage', { messageId }, FIELDS)).toMatchObject({
      chatMessage: { isDeleted: true },
    });
    expect(await unread('heidi')).toMatchObject({ unreadCount: (before.unreadCount as number) - 1 });
    for (const as of ['bob', 'alice'])
      expect(await mutate(as, 'deleteMessage', { messageId }, FIELDS)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await edit('bob', { tags: [] })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('users withdraw their own flags, moderators clear all flags', async () => {
    const { messageId } = (await send('bob', {})).chatMessage;
    for (const as of ['carol', 'heidi']) await mutate(as, 'flagMessage', { messageId }, 'clientMutationId');
    expect((await mutate('carol', 'unflagMessage', { messageId }, FIELDS)).chatMessage.flagCount).toBe(1);
    expect((await mutate('carol', 'unflagMessage', { messageId }, FIELDS)).chatMessage.flagCount).toBe(1);
    const request = (as: string) => gateway.graphql(`{ isMessageFlagged(messageId: "${messageId}") }`, { as });
    expect((await request('heidi')).data).toEqual({ isMessageFlagged: true });
    expect(await mutate('bob', 'clearMessageFlags', { messageId }, FIELDS)).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const { chatMessage } = await mutate('alice', 'clearMessageFlags', { messageId }, FIELDS);
    expect(chatMessage).toMatchObject({ flagCount: 0, hashFlag: null });
    expect((await request('heidi')).data).toEqual({ isMessageFlagged: false });
  });

  test('clearing flags updates the time of the last change, clearing none does not', async () => {
    const { messages } = gateway.services.store.collections;
    const { messageId } = (await send('bob', {})).chatMessage;
    await mutate('carol', 'flagMessage', { messageId }, 'clientMutationId');
    const longAgo = new Date('2020-01-01T00:00:00Z');
    const setUpdatedAt = () =>
      messages.updateMany({ networkId: 'default', messageId }, { $set: { updatedAt: longAgo } });
    const clear = async () => {
      await setUpdatedAt();
      await mutate('alice', 'clearMessageFlags', { messageId }, FIELDS);
      return (await messages.findOne({ networkId: 'default', messageId }))!.updatedAt;
    };
    expect((await clear()).getTime()).toBeGreaterThan(longAgo.getTime());
    expect(await clear()).toEqual(longAgo);
  });
});

describe('over REST', () => {
  test('sends, edits, flags and deletes a message', async () => {
    const call = (method: string, path: string, body?: object) =>
      gateway.rest(`/api/v5/messages${path}`, { as: 'bob', method, body });
    const sent = await call('POST', '', {
      messageFeedId: CHAT.feed,
      dataType: 'text',
      data: { text: 'Hi' },
      mentionedUsers: [{ type: 'user', userIds: ['alice'] }],
    });
    expect(sent.status).toBe(200);
    const { messageId } = sent.body.messages[0];
    expect((await call('PUT', `/${messageId}`, { data: { text: 'Ho' } })).body.messages[0].data).toEqual({
      text: 'Ho',
    });
    await call('POST', `/${messageId}/flags`, {});
    expect((await call('GET', `/${messageId}/flags`)).body).toEqual({ result: true, isFlaggedByMe: true });
    expect((await call('DELETE', `/${messageId}/flags`)).body.messages[0].flagCount).toBe(0);
    expect((await call('DELETE', `/${messageId}`)).body.messages[0].isDeleted).toBe(true);
    const refused = (body: object, refusal: readonly [number, number], as = 'bob') =>
      expectRefusal(gateway, '/api/v5/messages', { method: 'POST', as, body }, refusal);
    await refused({ messageFeedId: { $ne: null }, data: { text: 'x' } }, INVALID);
    await refused({ messageFeedId: CHAT.feed, data: { text: { $gt: '' } } }, INVALID);
    await refused({ messageFeedId: '0'.repeat(24), data: { text: 'x' } }, NOT_FOUND);
    await refused({ messageFeedId: CHAT.feed, data: { text: 'x' } }, [403, 400300], 'erin');
  });

  test('marks a whole channel as read, and devices synchronize the change', async () => {
    const call = (method: string, path: string, body: object = {}) => gateway.rest(path, { as: 'heidi', method, body });
    const { body } = await call('PUT', `/api/v1/markers/channels/${CHAT.channel}/mark-read`);
    expect(body.userEntityMarkers[0]).toMatchObject({ entityId: CHAT.channel, unreadCount: 0, isMentioned: false });
    const synced = (await call('POST', '/api/v1/markers/sync')).body;
    expect(Object.keys(synced).sort()).toEqual([...MARKER_ARRAYS, 'hasMore'].sort());
    const deviceLastSyncAt = new Date().toISOString();
    expect((await call('POST', '/api/v1/markers/sync', { deviceLastSyncAt })).body.userFeedMarkers).toEqual([]);
    await send('alice', {});
    const { userFeedMarkers } = (await call('POST', '/api/v1/markers/sync', { deviceLastSyncAt })).body;
    expect(userFeedMarkers.find((one: { feedId: string }) => one.feedId === CHAT.feed).unreadCount).toBe(1);
    const seen = await call('POST', '/api/v3/channels/gardeners-chat/seen', { readToSegment: 2 ** 31 - 1 });
    expect(seen.body.channelUsers[0]).toMatchObject({ userId: 'heidi' });
    expect(await unread('heidi')).toMatchObject({ unreadCount: 0 });
    const none = {
      channels: [
        { channelId: 'gardeners-chat', readToSegment: 1 },
        { channelId: 'no-such', readToSegment: 1 },
      ],
    };
    await expectRefusal(gateway, '/api/v3/channels/seen', { method: 'POST', as: 'heidi', body: none }, NOT_FOUND);
  });
});

describe('feeds that are being read', () => {
  test('new messages are counted as unread only after reading has stopped', async () => {
    const reading = (path: string) =>
      gateway.rest(`/api/v1/markers/message-feeds/${CHAT.tools}/${path}`, { as: 'alice', method: 'POST' });
    const { unreadCount: before } = await unread('alice', CHAT.tools);
    await reading('start-reading');
    for (let n = 0; n < 3; n += 1) await send('bob', { messageFeedId: CHAT.tools });
    expect(await unread('alice', CHAT.tools)).toMatchObject({ unreadCount: before });
    await reading('stop-reading');
    await send('bob', { messageFeedId: CHAT.tools });
    expect(await unread('alice', CHAT.tools)).toMatchObject({ unreadCount: (before as number) + 1 });
    const { userFeedMarkers } = gateway.services.store.collections;
    await reading('start-reading');
    const { chatMessage } = await send('bob', { messageFeedId: CHAT.tools });
    // As if the client had stopped renewing a while ago.
    await userFeedMarkers.updateOne(
      { networkId: 'default', userId: 'alice', feedId: CHAT.tools },
      { $set: { readingUntil: new Date(Date.now() - 1) } },
    );
    await send('bob', { messageFeedId: CHAT.tools });
    expect(await unread('alice', CHAT.tools)).toMatchObject({ unreadCount: (before as number) + 2 });
    await reading('start-reading');
    expect(await unread('alice', CHAT.tools)).toMatchObject({ unreadCount: (before as number) + 2 });
    expect(chatMessage.segment).toBeGreaterThan(0);
  });
});

test('pages through the users who read or received a message', async () => {
  const { messageId, segment } = (await send('alice', {})).chatMessage;
  const request = async (kind: string, query = '') =>
    (await gateway.rest(`/api/v1/markers/messages/${messageId}/${kind}-users${query}`, { as: 'carol' })).body;
  const ids = (body: { users: Array<{ userId: string }> }) => body.users.map(({ userId }) => userId);
  expect(ids(await request('read'))).toEqual([]);
  const base = `/api/v1/markers/message-feeds/${CHAT.feed}`;
  for (const as of ['bob', 'heidi', 'mia'])
    await gateway.rest(`${base}/mark-read`, { as, method: 'PUT', body: { readToSegment: segment } });
  await gateway.rest(`${base}/mark-delivering`, { as: 'carol', method: 'PUT', body: { messageId } });
  expect(ids(await request('read'))).toEqual(['bob', 'heidi', 'mia']);
  expect(ids(await request('delivered'))).toEqual(['bob', 'carol', 'heidi', 'mia']);
  const first = await request('read', '?options[limit]=2');
  expect(ids(first)).toEqual(['bob', 'heidi']);
  expect(ids(await request('read', `?options[token]=${encodeURIComponent(first.paging.next)}`))).toEqual(['mia']);
  const hidden = `/api/v1/markers/messages/${CHAT.message('plan')}/read-users`;
  await expectRefusal(gateway, hidden, { as: 'erin' }, NOT_FOUND);
});

test('a repeated key returns the original message without sending it again', async () => {
  const talk = () =>
    mutate(
      'heidi',
      'createConversation',
      { userIds: ['mia'], clientMutationId: 'talk' },
      'channel { channelId memberCount conversationMembers { userId } } channelUsers { userId }',
    );
  const first = await talk();
  expect(first.channelUsers).toHaveLength(2);
  expect(first.channel.conversationMembers).toHaveLength(2);
  expect(await talk()).toEqual(first);
  const { channelId } = first.channel;
  const input = { channelId, data: { text: 'Once' }, clientMutationId: 'once' };
  const select = 'chatMessage { segment messageFeedId messageFeed { lastSegment } }';
  const sent = await mutate('heidi', 'sendMessage', input, select);
  expect(sent.chatMessage.messageFeed.lastSegment).toBe(1);
  expect(await mutate('heidi', 'sendMessage', input, select)).toEqual(sent);
  const { messageFeedId } = sent.chatMessage;
  const read = await mutate(
    'mia',
    'markRead',
    { messageFeedId, readToSegment: 1, clientMutationId: 'read' },
    'userFeedMarkers { readToSegment unreadCount } userEntityMarkers { unreadCount }',
  );
  expect(read).toMatchObject({
    userFeedMarkers: [{ readToSegment: 1, unreadCount: 0 }],
    userEntityMarkers: [{ unreadCount: 0 }],
  });
  await gateway.tokenOf('first-sync');
  const sync = () =>
    mutate('first-sync', 'syncMarkers', { clientMutationId: 's' }, 'userMarker { lastSyncAt createdAt }');
  const { userMarker } = await sync();
  expect(userMarker.createdAt).toBe(userMarker.lastSyncAt);
  expect((await sync()).userMarker).toEqual(userMarker);
});
