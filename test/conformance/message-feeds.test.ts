import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const FEED_ARRAYS = ['messageFeeds', 'messages', 'users'];

test('returns a message feed with its last message and every array, field and resolvable reference', async () => {
  const { status, body } = await gateway.rest(`/api/v5/message-feeds/${CHAT.feed}`);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(FEED_ARRAYS);
  checkAnswer(body, { arrays: FEED_ARRAYS });
  const user = (userId: string) => body.users.find((one: { userId: string }) => one.userId === userId);
  expect(body.messageFeeds[0]).toMatchObject({
    messageFeedId: CHAT.feed,
    channelId: CHAT.channel,
    channelPublicId: 'gardeners-chat',
    channelType: 'community',
    creatorId: user('alice')._id,
    creatorPublicId: 'alice',
    lastMessageId: CHAT.message('see-you'),
  });
  expect(body.messages).toHaveLength(1);
  expect(body.messages[0]).toMatchObject({
    messageId: CHAT.message('see-you'),
    segment: 6,
    creatorId: user('mia')._id,
    creatorPublicId: 'mia',
  });
});

test('absent and hidden feeds are indistinguishable; channel editors see deleted ones', async () => {
  await expectRefusal(gateway, `/api/v5/message-feeds/${'0'.repeat(24)}`, {}, NOT_FOUND);
  await expectRefusal(gateway, `/api/v5/message-feeds/${CHAT.conversation}`, { as: 'erin' }, NOT_FOUND);
  await expectRefusal(gateway, `/api/v5/message-feeds/${CHAT.feed}`, { as: 'dave' }, NOT_FOUND);
  await expectRefusal(gateway, `/api/v5/message-feeds/${CHAT.pests}`, { as: 'bob' }, NOT_FOUND);
  expect((await gateway.rest(`/api/v5/message-feeds/${CHAT.pests}`)).status).toBe(200);
});

test('an id is as long as a public id of a channel at most', async () => {
  await expectRefusal(gateway, `/api/v5/message-feeds/${'a'.repeat(900)}`, {}, NOT_FOUND);
  await expectRefusal(gateway, `/api/v5/message-feeds/${'a'.repeat(901)}`, {}, INVALID);
  await expectRefusal(gateway, `/api/v5/message-feeds/${CHAT.feed}?messageFeedId[$ne]=x`, {}, INVALID);
});

test('lists the feeds of a channel, newest first', async () => {
  const arrays = ['channels', 'messageFeeds', 'messages', 'messagePreviews', 'messageFeedsInfo', 'users', 'files'];
  const path = `/api/v5/message-feeds/channel/${CHAT.channel}`;
  const { status, body } = await gateway.rest(path);
  expect(status).toBe(200);
  checkAnswer(body, { arrays });
  const names = (answer: { messageFeeds: Array<{ messageFeedId: string }> }) =>
    answer.messageFeeds.map((feed) => feed.messageFeedId);
  expect(names(body)).toEqual([CHAT.pests, CHAT.tools, CHAT.feed]);
  expect(names((await gateway.rest(path, { as: 'bob' })).body)).toEqual([CHAT.tools, CHAT.feed]);
  expect(names((await gateway.rest(`${path}?excludeDefaultMessageFeed=true&isDeleted=false`)).body)).toEqual([
    CHAT.tools,
  ]);
  const first = (await gateway.rest(`${path}?options[limit]=1`, { as: 'bob' })).body;
  expect(names(first)).toEqual([CHAT.tools]);
  expect(
    names((await gateway.rest(`${path}?options[token]=${encodeURIComponent(first.paging.next)}`, { as: 'bob' })).body),
  ).toEqual([CHAT.feed]);
  await expectRefusal(gateway, `/api/v5/message-feeds/channel/${'0'.repeat(24)}`, {}, NOT_FOUND);
  await expectRefusal(gateway, path, { as: 'dave' }, [403, 400304]);
});

test('returns feeds by ids without hidden ones', async () => {
  const { body } = await gateway.rest(
    `/api/v5/message-feeds/list?messageFeedIds[]=${CHAT.tools}&messageFeedIds[]=${CHAT.conversation}`,
    { as: 'erin' },
  );
  checkAnswer(body, { arrays: ['messageFeeds', 'messages', 'messagePreviews', 'messageFeedsInfo', 'users', 'files'] });
  expect(body.messageFeeds.map((feed: { messageFeedId: string }) => feed.messageFeedId)).toEqual([CHAT.tools]);
});

const MESSAGE_ARRAYS = ['messageFeeds', 'messages', 'users', 'files'];
// The last message of the feed may be on another page.
const rules = { arrays: MESSAGE_ARRAYS, unresolved: ['messageFeeds>messages'] };
const segments = (body: { messages: Array<{ segment: number }> }) => body.messages.map((message) => message.segment);

test('pages messages by segment in both directions', async () => {
  const path = `/api/v5/messages?messageFeedId=${CHAT.feed}`;
  const first = (await gateway.rest(`${path}&options[limit]=4`, { as: 'bob' })).body;
  checkAnswer(first, rules);
  expect(segments(first)).toEqual([6, 5, 4, 3]);
  const second = (await gateway.rest(`${path}&options[token]=${encodeURIComponent(first.paging.next)}`, { as: 'bob' }))
    .body;
  checkAnswer(second, rules);
  expect(segments(second)).toEqual([2, 1]);
  expect(
    segments(
      (await gateway.rest(`${path}&options[token]=${encodeURIComponent(second.paging.previous)}`, { as: 'bob' })).body,
    ),
  ).toEqual([6, 5, 4, 3]);
  expect(
    segments((await gateway.rest(`${path}&options[sortBy]=segmentAsc&options[limit]=2`, { as: 'bob' })).body),
  ).toEqual([1, 2]);
  expect(segments((await gateway.rest(`${path}&includeTags[]=greeting`, { as: 'bob' })).body)).toEqual([1]);
  expect(segments((await gateway.rest(`${path}&excludeTags[]=greeting&isDeleted=false`, { as: 'bob' })).body)).toEqual([
    6, 5, 4, 3,
  ]);
  expect(segments((await gateway.rest(`${path}&parentId=${CHAT.message('who-waters')}`, { as: 'bob' })).body)).toEqual([
    4,
  ]);
  await expectRefusal(gateway, `/api/v5/messages?messageFeedId=${CHAT.conversation}`, { as: 'erin' }, NOT_FOUND);
  await expectRefusal(gateway, '/api/v5/messages', {}, INVALID);
  await expectRefusal(gateway, `${path}&options[sortBy]=text`, {}, INVALID);
});

test('only moderators read the content of a deleted message', async () => {
  const path = `/api/v5/messages/${CHAT.message('wrong')}`;
  expect((await gateway.rest(path)).body.messages[0]).toMatchObject({
    isDeleted: true,
    data: { text: 'You are all doing it wrong.' },
  });
  expect((await gateway.rest(path, { as: 'bob' })).body.messages[0]).toMatchObject({ isDeleted: true, data: {} });
  await expectRefusal(gateway, path, { as: 'dave' }, NOT_FOUND);
  const list = `/api/v5/messages/list?messageIds[]=${CHAT.message('wrong')}&messageIds[]=${CHAT.message('plan')}`;
  expect((await gateway.rest(list, { as: 'carol' })).body.messages).toEqual([expect.objectContaining({ data: {} })]);
});
