import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHANNEL_ARRAYS } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { expectRefusal, INVALID, NOT_FOUND } from '../support/refusals.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const V3 = '/api/v3/channels/seed-exchange/users';
const V4 = '/api/v4/channels/seed-exchange/users';

async function read(path: string, as = 'alice') {
  const { status, body } = await gateway.rest(path, { as });
  expect(status, path).toBe(200);
  checkAnswer(body, { arrays: CHANNEL_ARRAYS });
  return { body, userIds: body.channelUsers.map((member: { userId: string }) => member.userId) as string[] };
}

test('returns the users of a channel with every array, field and resolvable reference', async () => {
  const { body, userIds } = await read(V3);
  expect(Object.keys(body)).toEqual([...CHANNEL_ARRAYS, 'paging']);
  expect(body.channels.map((channel: { channelId: string }) => channel.channelId)).toEqual(['seed-exchange']);
  expect(body.channels[0]).toMatchObject({ type: 'standard', isMuted: true, rateLimit: 5, notificationMode: 'silent' });
  expect(userIds.sort()).toEqual(['alice', 'carol', 'erin', 'kim', 'oscar']);
  expect(body.paging).toEqual({});
  expect(body.messagePreviews).toHaveLength(1);
});

test('leaves both preview arrays empty without a preview', async () => {
  const { body } = await read('/api/v3/channels/potting-bench-chat/users', 'bob');
  expect(body.channels[0].messagePreviewId).toBeNull();
  expect([body.messagePreviews, body.messageFeedsInfo]).toEqual([[], []]);
});

describe('version 3 filters', () => {
  test.each([
    ['', ['alice', 'carol', 'erin', 'kim', 'oscar']],
    ['filter=all', ['alice', 'carol', 'erin', 'kim', 'oscar']],
    ['filter=muted', ['kim']],
    ['filter=banned', ['dave']],
    ['filter=member%26banned', ['alice', 'carol', 'dave', 'erin', 'kim', 'oscar']],
    ['roles[]=channel-moderator', ['carol']],
    ['roles[0]=channel-moderator&roles[1]=nobody', ['carol']],
    ['roles=nobody', []],
    ['isDeleted=true', ['oscar']],
    ['isDeleted=false', ['alice', 'carol', 'erin', 'kim']],
    ['isDeleted=null', ['alice', 'carol', 'erin', 'kim', 'oscar']],
    ['isDeleted=', ['alice', 'carol', 'erin', 'kim', 'oscar']],
    ['search=ALI', ['alice']],
    ['search=.*', []],
  ])('%s', async (query, expected) => {
    expect((await read(`${V3}?${query}`)).userIds.sort()).toEqual(expected);
  });
});

test.each([
  ['memberships[]=member', 5],
  ['memberships[]=member&memberships[]=muted', 5],
  ['memberships[]=muted', 1],
  ['memberships[]=banned&memberships[]=muted', 2],
  [
    'channelId=seed-exchange&memberships[]=member&roles[]=channel-moderator&sortBy=lastCreated&options[limit]=10&isDeleted=false',
    1,
  ],
  ['role=channel-moderator', 1],
  ['search=', 5],
])('version 4 accepts the queries of published clients: %s', async (query, count) => {
  const { body } = await read(`${V4}?${query}`);
  expect(body.channelUsers).toHaveLength(count);
  expect(Object.keys(body)).toEqual([...CHANNEL_ARRAYS, 'paging']);
});

test('sorts by name and by age, in both directions', async () => {
  const byName = (await read(`${V3}?sortBy=displayName`)).body.channelUsers.map(
    (member: { userId: string }) => member.userId,
  );
  expect(byName).toEqual(['alice', 'carol', 'erin', 'kim', 'oscar']);
  const newest = (await read('/api/v3/channels/gardeners-chat/users?sortBy=lastCreated&options[limit]=100')).userIds;
  const oldest = (await read('/api/v3/channels/gardeners-chat/users?sortBy=firstCreated&options[limit]=100')).userIds;
  expect(newest).toEqual([...oldest].reverse());
});

test.each([['firstCreated'], ['lastCreated'], ['displayName']])(
  'pages by %s in both directions without gaps or duplicates',
  async (sortBy) => {
    const path = '/api/v3/channels/gardeners-chat/users';
    const all = (await read(`${path}?sortBy=${sortBy}&options[limit]=100`)).userIds;
    const pages: string[][] = [];
    let paging: { next?: string; prev?: string; previous?: string } = {};
    let query = `sortBy=${sortBy}&options[limit]=3`;
    for (;;) {
      const { body, userIds } = await read(`${path}?${query}`);
      pages.push(userIds);
      paging = body.paging;
      if (!paging.next) break;
      query = `sortBy=${sortBy}&options[token]=${encodeURIComponent(paging.next)}`;
    }
    expect(pages.flat()).toEqual(all);
    expect(paging.previous).toBe(paging.prev);
    const back = await read(`${path}?sortBy=${sortBy}&options[token]=${encodeURIComponent(paging.prev!)}`);
    expect(back.userIds).toEqual(pages.at(-2));
  },
);

test('accepts a cursor that a client constructed', async () => {
  const token = Buffer.from(JSON.stringify({ skip: 2, limit: 2 })).toString('base64');
  const { userIds } = await read(`${V3}?sortBy=displayName&options[token]=${token}`);
  expect(userIds).toEqual(['erin', 'kim']);
});

test.each([
  ['filter=everybody'],
  ['filter[$ne]=x'],
  ['memberships[$ne]=x&filter=x'],
  ['sortBy=lastActivity'],
  ['isDeleted=perhaps'],
  ['search[$regex]=a'],
  ['search='],
  [`search=${'a'.repeat(901)}`],
  [`roles[]=${'a'.repeat(901)}`],
  ['roles[]='],
  ['roles[$ne]=a'],
  [Array.from({ length: 21 }, (_, index) => `roles[]=r${index}`).join('&')],
  ['options[limit]=0'],
  ['options[limit]=101'],
  ['options[limit]=ten'],
  ['channelId=another'],
])('rejects %s', (query) => expectRefusal(gateway, `${V3}?${query}`, {}, INVALID));

test.each([
  [`search=${'a'.repeat(900)}`],
  [`roles[]=${'a'.repeat(900)}`],
  [Array.from({ length: 20 }, (_, index) => `roles[]=r${index}`).join('&')],
  ['options[limit]=1'],
  ['options[limit]=100'],
])('accepts the boundary value %s', async (query) => {
  await read(`${V3}?${query}`);
});

test('rejects a token of another list and an invalid token with 400', async () => {
  await expectRefusal(gateway, `${V3}?options[token]=nonsense`, {}, [400, 400000]);
  const { body } = await gateway.rest(`/api/v3/channels/gardeners-chat/users?sortBy=displayName&options[limit]=1`);
  await expectRefusal(
    gateway,
    `${V3}?sortBy=lastCreated&options[token]=${encodeURIComponent(body.paging.next)}`,
    {},
    [400, 400000],
  );
});

test('requires access to the members of the channel', async () => {
  await expectRefusal(gateway, '/api/v3/channels/no-such-channel/users', {}, NOT_FOUND);
  await expectRefusal(gateway, '/api/v3/channels/alice-and-bob/users', { as: 'erin' }, NOT_FOUND);
  await expectRefusal(gateway, V3, { as: 'dave' }, [403, 400304]);
  expect((await read('/api/v3/channels/alice-and-bob/users', 'admin')).userIds.sort()).toEqual(['alice', 'bob']);
  expect((await gateway.rest(V3, { as: 'bob' })).status).toBe(200);
});
