import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mayHaveFlagged } from '../../src/domain/flag/hash-flag.ts';
import { CHAT } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => expect(await findInconsistencies(gateway.services.store.db)).toEqual([]));
afterAll(() => gateway.close());

const ARRAYS = ['messages', 'users', 'files'];
const flag = (name: string, as: string, body?: object) =>
  gateway.rest(`/api/v3/messages/${CHAT.message(name)}/flag`, { method: 'POST', as, ...(body && { body }) });
const flagOf = (name: string, userId: string) =>
  gateway.services.store.collections.flags.findOne({
    networkId: 'default',
    referenceType: 'message',
    referenceId: CHAT.message(name),
    userId,
  });

test('flags a message without a body and returns every array, field and resolvable reference', async () => {
  const { status, body } = await gateway.rest(`/api/v3/messages/${CHAT.message('shears')}/flag`, {
    method: 'POST',
    as: 'carol',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(ARRAYS);
  checkAnswer(body, { arrays: ARRAYS, messages: 'v3' });
  expect(body.messages[0]).toMatchObject({
    messageId: CHAT.message('shears'),
    userId: 'bob',
    channelId: 'gardeners-chat',
    type: 'image',
    flagCount: 1,
  });
  expect(mayHaveFlagged(body.messages[0].hashFlag, 'carol')).toBe(true);
  expect(await flagOf('shears', 'carol')).toMatchObject({ reason: 'Others', detail: '' });
});

test('a repeated flag changes the reason and is counted once', async () => {
  expect((await flag('meeting', 'bob', { reason: 'Spam or scams', detail: '' })).body.messages[0].flagCount).toBe(1);
  expect((await flag('meeting', 'bob', { reason: 'Others', detail: 'x'.repeat(300) })).body.messages[0].flagCount).toBe(
    1,
  );
  expect(await flagOf('meeting', 'bob')).toMatchObject({ reason: 'Others', detail: 'x'.repeat(300) });
});

test('version 5 accepts the same parameters and returns its own record', async () => {
  const { status, body } = await gateway.rest(`/api/v5/messages/${CHAT.message('i-water')}/flags`, {
    method: 'POST',
    as: 'carol',
    body: { reason: 'Others' },
  });
  expect(status).toBe(200);
  checkAnswer(body, { arrays: ['messages', 'messageFeeds', 'users', 'files'], unresolved: ['messageFeeds>messages'] });
  expect(body.messages).toHaveLength(1);
  expect(body.messageFeeds).toMatchObject([{ messageFeedId: CHAT.feed, creatorPublicId: 'alice' }]);
  expect(body.reactions).toEqual([]);
  expect(body.messages[0]).toMatchObject({ creatorPublicId: 'bob', channelPublicId: 'gardeners-chat', flagCount: 1 });
});

test('unreadable messages cannot be flagged and look absent', async () => {
  const absent = await gateway.rest(`/api/v3/messages/${'0'.repeat(24)}/flag`, { method: 'POST', as: 'erin' });
  for (const [name, as] of [
    ['secret-plan', 'erin'],
    ['ladder', 'bob'],
    ['welcome', 'dave'],
    ['wrong', 'bob'],
    ['wrong', 'alice'],
  ] as const) {
    const answer = await flag(name, as);
    expect([answer.status, answer.body], `${name} by ${as}`).toEqual([absent.status, absent.body]);
    expect(await flagOf(name, as)).toBeNull();
  }
  expect(absent.body.code).toBe(400400);
});

test('enforces the bounds of id, reason and detail', async () => {
  const path = (id: string) => `/api/v3/messages/${id}/flag`;
  await expectRefusal(gateway, path('a'.repeat(150)), { method: 'POST' }, NOT_FOUND);
  await expectRefusal(gateway, path('a'.repeat(151)), { method: 'POST' }, INVALID);
  for (const body of [
    { reason: 'Because' },
    { reason: { $ne: null } },
    { detail: 'x'.repeat(301) },
    { detail: { $ne: 1 } },
    { messageId: { $ne: null } },
    [],
  ]) {
    await expectRefusal(gateway, path(CHAT.message('welcome')), { method: 'POST', body }, INVALID);
  }
});

test('the flag that reaches the limit deletes the message and updates its counters', async () => {
  const exchange = async () => (await gateway.rest('/api/v3/channels/seed-exchange', { as: 'carol' })).body.channels[0];
  const unreadOf = async (as: string) =>
    (await gateway.rest('/api/v1/markers/userMarker', { as })).body.userMarkers[0].unreadCount as number;
  const { messages } = gateway.services.store.collections;
  const before = await messages.findOne({ networkId: 'default', messageId: CHAT.message('sprouting') });
  const flaggers = ['carol', 'erin', 'kim'].slice(before!.flagCount);
  const { messageCount, messagePreviewId } = await exchange();
  const unread = await unreadOf('erin');
  expect(messagePreviewId).toBe(CHAT.message('sprouting'));
  for (const as of flaggers.slice(0, -1)) expect((await flag('sprouting', as)).body.messages[0].isDeleted).toBe(false);
  const last = await flag('sprouting', flaggers.at(-1)!);
  expect(last.body.messages[0]).toMatchObject({ isDeleted: true, data: {}, fileId: null, flagCount: 3 });
  // The last segment, which counts deleted messages.
  expect(await exchange()).toMatchObject({ messageCount, messagePreviewId: CHAT.message('offer') });
  expect(await unreadOf('erin')).toBe(unread - 1);
  expect((await flag('sprouting', 'alice')).status).toBe(404);
});

test('100 concurrent flags, some repeated, count each user once', async () => {
  const userIds = ['alice', 'bob', 'carol', 'heidi', 'mia', 'leo', 'ivan', 'frank', 'erin', 'admin'];
  await Promise.all(userIds.map((userId) => gateway.tokenOf(userId)));
  const before = (await gateway.rest(`/api/v5/messages/${CHAT.message('welcome')}`)).body.messages[0].flagCount;
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => flag('welcome', userIds[index % userIds.length]!)),
  );
  expect(answers.filter((answer) => answer.status !== 200).map((answer) => answer.body)).toEqual([]);
  const [message] = (await gateway.rest(`/api/v5/messages/${CHAT.message('welcome')}`)).body.messages;
  expect(message.flagCount).toBeGreaterThan(before);
  expect(message.flagCount).toBeLessThanOrEqual(before + userIds.length);
});
