import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { openStream } from '../support/event-stream.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveSubscription, liveClient } from '../support/live.ts';
import { ask, mutate } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT: '0' });
});
afterAll(() => gateway.close());

/** What a test opened, closed after it: who listens costs something with each event. */
const closers: Array<() => unknown> = [];
beforeEach(() => async () => {
  for (const close of closers.splice(0)) await close();
});

/** The post, its community, its author. */
const PLAIN = 'postUpdated { cursor post { postId data { text } author { displayName } commentsCount } }';
const PLAIN_COST = 3;
/** The post, its community, and what each listener says of it. */
const PERSONAL = 'postUpdated { cursor post { postId myReactions } }';
const PERSONAL_COST = 3;
/** The whole post: with its comments, reactions, people, memberships and files. */
const WHOLE_COST = 8;

let written = 0;

/** Commands that telling of an event costs, beside the two that write it. */
async function costOf(told: () => Promise<unknown>, postIds = ['seedlings']): Promise<string[]> {
  const names = await gateway.commandsOf(async () => {
    const events = postIds.map((postId) => postUpdated(`budget-${written++}`, postId));
    const read = readFromLog(events.at(-1)!.path);
    await emit(gateway, events);
    await read;
    await told();
  });
  for (const name of ['insert', 'commitTransaction']) expect(names.filter((one) => one === name)).toHaveLength(1);
  return names.filter((name) => name !== 'insert' && name !== 'commitTransaction');
}

/** Resolves when the gateway has read the event: from then on it is in memory. */
function readFromLog(path: string): Promise<void> {
  return new Promise((resolve) => {
    const subscription = gateway.services.events.subscribe({
      onEvent({ event }) {
        if (event.path !== path) return;
        subscription.close();
        resolve();
      },
      onLost: () => undefined,
    });
  });
}

async function listen(userId: string, selection: string): Promise<LiveSubscription> {
  const { eventCursor } = await ask(gateway, '{ eventCursor }', { as: userId });
  const client = await liveClient(gateway, userId);
  closers.push(() => client.close());
  return client.listen(`subscription { told: ${selection.replace('{', `(after: "${eventCursor}") {`)} }`);
}

/** What one more event costs once everybody listens and what is remembered of them is warm. */
async function costFor(heard: LiveSubscription[]): Promise<number> {
  const counts = () => heard.map(({ events }) => events.length);
  const next = async () => {
    const before = counts();
    return costOf(() => Promise.all(heard.map((one, index) => one.until(before[index]! + 1, 30_000))));
  };
  await next();
  await next();
  return (await next()).length;
}

const crowd = (size: number, selection: string) =>
  Promise.all(Array.from({ length: size }, (_, index) => listen(`crowd-${index}`, selection)));

test('nobody listens: nothing is read', async () => {
  expect(await costOf(() => new Promise((later) => setTimeout(later, 300)))).toEqual([]);
});

test('an event costs what its selection reads, once', async () => {
  expect(await costFor([await listen('bob', PLAIN)])).toBe(PLAIN_COST);
});

test('for a hundred subscribers who select the same with the same rights it costs no more', async () => {
  expect(await costFor(await crowd(100, PLAIN))).toBe(PLAIN_COST);
}, 120_000);

test('where each is told of themselves, they are read for many at once', async () => {
  expect(await costFor([await listen('bob', PERSONAL)])).toBe(PERSONAL_COST);
  // One to find out that it is so, the other 99 by 32.
  expect(await costFor(await crowd(100, PERSONAL))).toBeLessThanOrEqual(PERSONAL_COST + 4);
}, 120_000);

test('an event that nobody who listens may see costs what it takes to find that out', async () => {
  const heard = await listen('erin', PLAIN);
  await costFor([heard]);
  const count = heard.events.length;
  const next = (n: number) => costOf(() => heard.until(count + n), ['grafting', 'seedlings']);
  await next(1);
  const commands = await next(2);
  expect(heard.events).toHaveLength(count + 2);
  // Of the first one the post and its community; that its reader is no member is remembered.
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(PLAIN_COST + 2);
});

test('a REST listener costs what the documented arrays hold', async () => {
  const headers = { authorization: `Bearer ${await gateway.tokenOf('bob')}` };
  const stream = await openStream(`${gateway.url}/realtime/post.updated`, { headers });
  closers.push(() => stream.stop());
  await costOf(() => stream.until(1));
  const commands = await costOf(() => stream.until(2));
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(WHOLE_COST);
});

test('a long poll costs its session and the event; without a place also the look into the log', async () => {
  const path = '/realtime/post.updated';
  const { eventCursor } = await ask(gateway, '{ eventCursor }', { as: 'bob' });
  const next = await costOf(() => polled(`${path}?after=${eventCursor}&wait=10`));
  expect(next.length, next.join(' ')).toBeLessThanOrEqual(2 + WHOLE_COST);
  const newest = await costOf(() => polled(path));
  expect(newest.length, newest.join(' ')).toBeLessThanOrEqual(3 + WHOLE_COST);
});

test('a pull costs the look at the key, the look into the log and the event', async () => {
  const headers = { 'x-server-key': gateway.keys.SERVER_KEY };
  const pull = () => costOf(() => polled('/webhook/v3.post.didUpdate', { as: null, headers }));
  await pull();
  const commands = await pull();
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(2 + WHOLE_COST);
});

async function polled(path: string, call: Parameters<TestGateway['rest']>[1] = { as: 'bob' }): Promise<void> {
  expect((await gateway.rest(path, call)).status).toBe(200);
}

test('where the log is costs nothing to know', async () => {
  await gateway.tokenOf('carol');
  expect(await gateway.commandsOf(() => ask(gateway, '{ eventCursor }', { as: 'carol' }))).toEqual(['find']);
});

test('whatever number of events a write has, they are one insert', async () => {
  const inserts: number[] = [];
  const note = ({ commandName, command }: { commandName: string; command: { [name: string]: unknown } }) => {
    if (commandName === 'insert' && command.insert === 'events') inserts.push((command.documents as unknown[]).length);
  };
  const { client } = gateway.services.store;
  client.on('commandStarted', note);
  const attachments = ['tomatoes-red', 'tomatoes-yellow'].map((fileId) => ({ type: 'IMAGE', fileId }));
  const mentionees = [{ type: 'USER', userIds: ['alice', 'carol'] }];
  const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: '@alice' }, attachments, mentionees };
  await mutate(gateway, 'createPost', input, { select: 'clientMutationId', as: 'bob' });
  const members = { communityId: 'gardeners', userIds: ['erin'] };
  await mutate(gateway, 'addCommunityMembers', members, { select: 'clientMutationId' });
  await mutate(gateway, 'banCommunityMembers', members, { select: 'clientMutationId' });
  client.off('commandStarted', note);
  // The post with its children and who is mentioned; who came, went and how many they are, also in the chat.
  expect(inserts).toHaveLength(3);
  for (const count of inserts) expect(count).toBeGreaterThan(1);
});
