import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANNEL_ARRAYS } from '../support/chat-sample.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { checkAnswer } from '../support/interface.ts';
import { ask, mutations } from '../support/mutate.ts';
import { expectRefusal, INVALID } from '../support/refusals.ts';

const PATH = '/api/v3/channels';
const NOTES = 'keyword=notes&options[limit]=100';

let gateway: TestGateway;
/** The channels of the tests, in the order of their last activity. */
const CHANNEL_IDS = ['alpha', 'beta', 'gamma', 'delta', 'eps'];

beforeAll(async () => {
  gateway = await startTestGateway();
  const mutate = mutations(gateway);
  const open = (as: string, channelId: string, more: object) =>
    mutate(as, 'createChannel', { channelId, displayName: `Notes ${channelId}`, ...more }, 'channel { channelId }');
  await open('alice', 'alpha', { userIds: ['bob'], tags: ['red', 'round'] });
  await open('bob', 'beta', { tags: ['red'] });
  await open('alice', 'gamma', { type: 'PRIVATE', userIds: ['carol'] });
  await open('carol', 'delta', { tags: ['blue'], isPublic: false });
  await open('carol', 'eps', { type: 'COMMUNITY' });
  const { channels } = gateway.services.store.collections;
  for (const [index, channelId] of CHANNEL_IDS.entries()) {
    const lastActivity = new Date(Date.UTC(2031, 0, 10 - index));
    await channels.updateOne({ networkId: 'default', channelId }, { $set: { lastActivity } });
  }
});
afterAll(() => gateway.close());

const query = (text: string, as: string) => gateway.rest(`${PATH}?${text}`, { as });
const ids = async (text: string, as: string): Promise<string[]> => {
  const { status, body } = await query(text, as);
  expect(status, `${text} ${JSON.stringify(body).slice(0, 300)}`).toBe(200);
  return body.channels.map(({ channelId }: { channelId: string }) => channelId);
};

test('returns channels with paging and every array, field and resolvable reference', async () => {
  const { status, body } = await query('options[limit]=5', 'alice');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual([...CHANNEL_ARRAYS, 'paging']);
  expect(body.channels).toHaveLength(5);
  const { paging, ...arrays } = body;
  expect(Object.keys(paging)).toEqual(['next']);
  checkAnswer(arrays, { arrays: CHANNEL_ARRAYS });
});

test('lists public channels and those of the caller; all channels for network moderators', async () => {
  expect(await ids(NOTES, 'alice')).toEqual(['alpha', 'beta', 'gamma', 'eps']);
  expect(await ids(NOTES, 'bob')).toEqual(['alpha', 'beta', 'eps']);
  expect(await ids(NOTES, 'carol')).toEqual(['alpha', 'beta', 'gamma', 'delta', 'eps']);
  expect(await ids(NOTES, 'erin')).toEqual(['alpha', 'beta', 'eps']);
  expect(await ids(NOTES, 'admin')).toEqual(CHANNEL_IDS);
  const all = 'options[limit]=100';
  expect(await ids(all, 'alice')).toContain('alice-and-bob');
  expect(await ids(all, 'erin')).not.toContain('alice-and-bob');
  expect(await ids(all, 'erin')).not.toContain('orchard-keepers-chat');
});

test('filters by the membership of the viewer', async () => {
  expect(await ids(`${NOTES}&filter=all`, 'bob')).toEqual(['alpha', 'beta', 'eps']);
  expect(await ids(`${NOTES}&filter=member`, 'bob')).toEqual(['alpha', 'beta']);
  expect(await ids(`${NOTES}&filter=notMember`, 'bob')).toEqual(['eps']);
  expect(await ids(`${NOTES}&filter=notMember`, 'carol')).toEqual(['alpha', 'beta']);
  expect(await ids(`${NOTES}&filter=notMember`, 'admin')).toEqual(CHANNEL_IDS);
  expect(await ids(`${NOTES}&filter=member`, 'admin')).toEqual([]);
});

test('flagged: lists channels with flagged messages for their moderators', async () => {
  const mutate = mutations(gateway);
  const flagged = `${NOTES}&filter=flagged`;
  const { chatMessage } = await mutate(
    'bob',
    'sendMessage',
    { channelId: 'alpha', data: { text: 'Buy' } },
    'chatMessage { messageId }',
  );
  expect(await ids(flagged, 'alice')).toEqual([]);
  await mutate('alice', 'flagMessage', { messageId: chatMessage.messageId }, '__typename');
  expect(await ids(flagged, 'alice')).toEqual(['alpha']);
  expect(await ids(flagged, 'admin')).toEqual(['alpha']);
  for (const as of ['bob', 'carol', 'erin']) expect(await ids(flagged, as), as).toEqual([]);
  expect(await ids(`${flagged}&userId=carol`, 'admin')).toEqual([]);
  await mutate('alice', 'deleteMessage', { messageId: chatMessage.messageId }, '__typename');
  expect(await ids(flagged, 'alice')).toEqual([]);
});

test('filters by name, type, tags and member', async () => {
  expect(await ids('keyword=NOTES ALP', 'bob')).toEqual(['alpha']);
  expect(await ids(`${NOTES}&types[]=private&types[]=community`, 'carol')).toEqual(['gamma', 'eps']);
  expect(await ids(`${NOTES}&tags[]=red&tags[]=blue`, 'carol')).toEqual(['alpha', 'beta', 'delta']);
  expect(await ids(`${NOTES}&excludeTags[]=red`, 'carol')).toEqual(['gamma', 'delta', 'eps']);
  expect(await ids(`${NOTES}&tags[]=red&excludeTags=round`, 'carol')).toEqual(['beta']);
  expect(await ids(`${NOTES}&userId=carol`, 'carol')).toEqual(['gamma', 'delta', 'eps']);
  expect(await ids(`${NOTES}&userId=carol`, 'alice')).toEqual(['gamma', 'eps']);
  expect(await ids(`${NOTES}&userId=carol&filter=member`, 'alice')).toEqual(['gamma']);
  expect(await ids(`${NOTES}&userId=carol`, 'erin')).toEqual(['eps']);
  expect(await ids(`${NOTES}&userId=nobody-here`, 'admin')).toEqual([]);
});

test('sorts in four orders, latest activity first by default', async () => {
  const sorted = (sortBy: string) => ids(`${NOTES}&sortBy=${sortBy}`, 'admin');
  expect(await ids(NOTES, 'admin')).toEqual(await sorted('lastActivity'));
  expect(await sorted('lastActivity')).toEqual(CHANNEL_IDS);
  expect(await sorted('firstCreated')).toEqual(CHANNEL_IDS);
  expect(await sorted('lastCreated')).toEqual([...CHANNEL_IDS].reverse());
  expect(await sorted('displayName')).toEqual([...CHANNEL_IDS].sort());
});

test('pages in both directions return every channel once, public and own ones mixed', async () => {
  for (const sortBy of ['lastActivity', 'lastCreated', 'firstCreated', 'displayName']) {
    const all = await ids(`sortBy=${sortBy}&options[limit]=100`, 'carol');
    expect(new Set(all).size).toBe(all.length);
    const met: string[] = [];
    let text = `sortBy=${sortBy}&options[limit]=2`;
    let previous = '';
    for (let page = 0; page < 20; page += 1) {
      const { body } = await query(text, 'carol');
      met.push(...body.channels.map(({ channelId }: { channelId: string }) => channelId));
      previous = body.paging.previous;
      if (!body.paging.next) break;
      text = `sortBy=${sortBy}&options[token]=${encodeURIComponent(body.paging.next)}`;
    }
    expect(met, sortBy).toEqual(all);
    const before = await ids(`sortBy=${sortBy}&options[token]=${encodeURIComponent(previous)}`, 'carol');
    const lastPage = all.length % 2 === 0 ? 2 : 1;
    expect(before).toEqual(all.slice(0, -lastPage).slice(-2));
  }
});

test('only network moderators see deleted channels', async () => {
  const mutate = mutations(gateway);
  await mutate('alice', 'createChannel', { channelId: 'gone', displayName: 'Abandoned' }, '__typename');
  await mutate('alice', 'deleteChannel', { channelId: 'gone' }, '__typename');
  for (const isDeleted of ['', '&isDeleted=true', '&isDeleted=null']) {
    expect(await ids(`keyword=abandoned${isDeleted}`, 'admin')).toEqual(['gone']);
    expect(await ids(`keyword=abandoned${isDeleted}`, 'alice')).toEqual([]);
  }
  expect(await ids('keyword=abandoned&isDeleted=false', 'admin')).toEqual([]);
});

test('banned users see a public channel, but not its members', async () => {
  expect(await ids('keyword=seed', 'dave')).toEqual(['seed-exchange']);
  expect(await ids('keyword=seed&userId=alice', 'dave')).toEqual([]);
});

test('GraphQL returns the same; without deleted channels by default', async () => {
  const { networkChannels } = await ask(
    gateway,
    '{ networkChannels(keyword: "notes", types: [STANDARD], excludeTags: ["blue"]) { edges { node { channelId } } } }',
    { as: 'carol' },
  );
  expect(networkChannels.edges.map(({ node }: { node: { channelId: string } }) => node.channelId)).toEqual([
    'alpha',
    'beta',
  ]);
  const found = await ask(gateway, '{ networkChannels(keyword: "abandoned") { edges { cursor } } }', { as: 'admin' });
  expect(found.networkChannels.edges).toEqual([]);
  const many = JSON.stringify(Array.from({ length: 21 }, (_, index) => `${index}`));
  for (const [args, path] of [
    [`keyword: "${'x'.repeat(101)}"`, 'keyword'],
    [`tags: ${many}`, 'tags'],
    [`excludeTags: ${many}`, 'excludeTags'],
    ['userId: ""', 'userId'],
    [`userId: "${'x'.repeat(901)}"`, 'userId'],
  ] as const) {
    const { errors } = await gateway.graphql(`{ networkChannels(${args}) { edges { cursor } } }`);
    expect(errors?.[0]?.extensions, args).toMatchObject({ code: 'INVALID_PARAMETERS' });
    expect(JSON.stringify(errors), args).toContain(path);
  }
});

test('rejects values out of bounds and invalid values', async () => {
  for (const bad of [
    `keyword=${'x'.repeat(101)}`,
    'keyword[$regex]=x',
    'filter=mine',
    'filter[$ne]=all',
    'types[]=secret',
    'sortBy=best',
    'userId[$ne]=x',
    `userId=${'x'.repeat(901)}`,
    'isDeleted=maybe',
    'options[limit]=0',
    'options[limit]=101',
    `tags[]=${'x'.repeat(101)}`,
    Array.from({ length: 21 }, (_, index) => `excludeTags[]=${index}`).join('&'),
  ]) {
    await expectRefusal(gateway, `${PATH}?${bad}`, { as: 'bob' }, INVALID);
  }
  await expectRefusal(gateway, `${PATH}?options[token]=nonsense`, { as: 'bob' }, [400, 400000]);
  expect(await ids('keyword=.*', 'bob')).toEqual([]);
  expect(await ids('keyword=&options[limit]=1', 'bob')).toHaveLength(1);
});
