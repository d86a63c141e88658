import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANNEL_ARRAYS } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';
import { renameChannel } from '../support/rename-channel.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const list = (query: string, as = 'alice') => gateway.rest(`/api/v3/channels/list?${query}`, { as });
const ids = (rows: Array<Record<string, string>>, field: string) => rows.map((row) => row[field]);

test('returns channels with every array, field and resolvable reference', async () => {
  const { status, body } = await list(
    'channelIds[]=gardeners-chat&channelIds[]=seed-exchange&channelIds[]=greenhouse-chat',
  );
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(CHANNEL_ARRAYS);
  checkAnswer(body, { arrays: CHANNEL_ARRAYS });
  expect(ids(body.channels, 'channelId')).toEqual(['gardeners-chat', 'seed-exchange', 'greenhouse-chat']);
  expect(body.channels[2].attachedTo).toEqual({
    postId: 'greenhouse-1',
    videoStreamId: 'greenhouse-tour',
    roomId: null,
  });
});

test('channelUsers contains the caller only, and all members of a conversation', async () => {
  expect(ids((await list('channelIds[]=gardeners-chat')).body.channelUsers, 'userId')).toEqual(['alice']);
  expect(ids((await list('channelIds[]=alice-and-bob', 'bob')).body.channelUsers, 'userId').sort()).toEqual([
    'alice',
    'bob',
  ]);
  expect((await list('channelIds[]=seed-exchange', 'bob')).body.channelUsers).toEqual([]);
});

test('a banned user sees the channel and their ban, but no message', async () => {
  const { body } = await list('channelIds[]=seed-exchange', 'dave');
  checkAnswer(body, { arrays: CHANNEL_ARRAYS });
  expect(body.channels[0].messagePreviewId).toBeNull();
  expect(body.channelUsers[0]).toMatchObject({ userId: 'dave', membership: 'banned', isBanned: true });
  expect([body.messagePreviews, body.messageFeedsInfo]).toEqual([[], []]);
});

test('accepts ids in every spelling, also encoded twice', async () => {
  for (const query of [
    'channelIds[0]=seed-exchange',
    'channelIds=seed-exchange',
    'channelIds[]=seed%252Dexchange',
    'channelIds[]=seed-exchange&channelIds[]=seed-exchange',
  ]) {
    expect(ids((await list(query)).body.channels, 'channelId'), query).toEqual(['seed-exchange']);
  }
});

test('omits absent and hidden channels; 404 when none is left', async () => {
  const query = 'channelIds[]=no-such-channel&channelIds[]=alice-and-bob';
  expect(ids((await list(`${query}&channelIds[]=seed-exchange`, 'erin')).body.channels, 'channelId')).toEqual([
    'seed-exchange',
  ]);
  await expectRefusal(gateway, `/api/v3/channels/list?${query}`, { as: 'erin' }, NOT_FOUND);
});

test('accepts at most 10 ids of at most 100 characters', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `channelIds[]=${index === 0 ? 'seed-exchange' : `c${index}`}`).join(
      '&',
    );
  expect((await list(many(10))).status).toBe(200);
  expect((await list(`channelIds[]=seed-exchange&channelIds[]=${'a'.repeat(100)}`)).status).toBe(200);
  for (const query of [
    many(11),
    '',
    'channelIds[]=',
    `channelIds[]=${'a'.repeat(101)}`,
    'channelIds[$ne]=a',
    'channelIds[0][$ne]=a',
  ]) {
    await expectRefusal(gateway, `/api/v3/channels/list?${query}`, {}, INVALID);
  }
});

test('returns a single channel', async () => {
  const { status, body } = await gateway.rest('/api/v3/channels/alice-and-bob', { as: 'bob' });
  expect(status).toBe(200);
  checkAnswer(body, { arrays: CHANNEL_ARRAYS });
  expect(body.channelUsers).toHaveLength(2);
  await expectRefusal(gateway, '/api/v3/channels/alice-and-bob', { as: 'erin' }, NOT_FOUND);
  await expectRefusal(gateway, '/api/v3/channels/no-such-channel', { as: 'erin' }, NOT_FOUND);
});

test('lists channels with the longer ids that earlier versions accepted', async () => {
  const create = (channelId: string) =>
    gateway.rest('/api/v3/channels', { method: 'POST', body: { channelId, displayName: 'Long', type: 'community' } });
  expect((await create('x'.repeat(51))).status).toBe(422);
  expect((await create('to-be-longer')).status).toBe(200);
  const to = 'x'.repeat(100);
  await renameChannel(gateway.services.store, { from: 'to-be-longer', to });
  const { status, body } = await list(`channelIds[]=${to}`);
  expect([status, ids(body.channels, 'channelId')]).toEqual([200, [to]]);
});
