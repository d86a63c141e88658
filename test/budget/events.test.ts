import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewEvent } from '../../src/events/append-events.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { openStream } from '../support/event-stream.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveSubscription, liveClient } from '../support/live.ts';
import { ask, mutate } from '../support/mutate.ts';
import { separateCommands } from '../support/separate-commands.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT: '0' });
});
afterAll(() => gateway.close());

/** Closes the subscriptions of a test after it, because each one costs commands with every event. */
const closers: Array<() => unknown> = [];
beforeEach(() => async () => {
  for (const close of closers.splice(0)) await close();
});

/** Reads the post, its community and its author. */
const PLAIN = 'postUpdated { cursor post { postId data { text } author { displayName } commentsCount } }';
const PLAIN_COST = 3;
/** Reads the post, its community and the reactions of each subscriber. */
const PERSONAL = 'postUpdated { cursor post { postId myReactions } }';
const PERSONAL_COST = 3;
/** Reads the message feed, its channel, the message and the markers of its readers. */
const RECEIPT = 'markerFeedUpdated { cursor feedMarker { lastSegment } messageMarker { readCount deliveredCount } }';
const RECEIPT_COST = 4;
/** Reads the whole post, with its comments, reactions, users, memberships and files. */
const WHOLE_COST = 8;

let eventCount = 0;

/** The commands that delivering events takes, without the two that write them. */
async function costOf(delivered: () => Promise<unknown>, posts = ['seedlings']): Promise<string[]> {
  return costOfEvents(
    delivered,
    posts.map((postId) => (path) => postUpdated(path, postId)),
  );
}

type EventAt = (path: string) => NewEvent;

async function costOfEvents(delivered: () => Promise<unknown>, of: readonly EventAt[]): Promise<string[]> {
  const names = await gateway.commandsOf(async () => {
    const events = of.map((eventAt) => eventAt(`budget-${eventCount++}`));
    const read = readFromLog(events.at(-1)!.path);
    await emit(gateway, events);
    await read;
    await delivered();
  });
  for (const name of ['insert', 'commitTransaction']) expect(names.filter((one) => one === name)).toHaveLength(1);
  return names.filter((name) => name !== 'insert' && name !== 'commitTransaction');
}

/** Resolves when the gateway has read the event from the log into memory. */
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
  return client.listen(`subscription { event: ${selection.replace('{', `(after: "${eventCursor}") {`)} }`);
}

/** The commands of the third event, when all subscriptions are active and the caches are warm. */
async function costFor(subscriptions: LiveSubscription[], eventAt: EventAt = postUpdated): Promise<number> {
  const counts = () => subscriptions.map(({ events }) => events.length);
  const next = async () => {
    const before = counts();
    const delivered = () => Promise.all(subscriptions.map((one, index) => one.until(before[index]! + 1, 30_000)));
    return costOfEvents(delivered, [eventAt]);
  };
  await next();
  await next();
  return (await next()).length;
}

const crowd = (size: number, selection: string) =>
  Promise.all(Array.from({ length: size }, (_, index) => listen(`crowd-${index}`, selection)));

test('without subscribers, an event reads nothing', async () => {
  expect(await costOf(() => new Promise((later) => setTimeout(later, 300)))).toEqual([]);
});

test('for one subscriber, an event costs the reads of its selection', async () => {
  expect(await costFor([await listen('bob', PLAIN)])).toBe(PLAIN_COST);
});

test('for a hundred subscribers with the same selection and rights, an event costs no more', async () => {
  expect(await costFor(await crowd(100, PLAIN))).toBe(PLAIN_COST);
}, 120_000);

test('reads personal fields of a hundred subscribers in batches', async () => {
  expect(await costFor([await listen('bob', PERSONAL)])).toBe(PERSONAL_COST);
  // One read finds that the fields are personal; the other 99 subscribers follow in batches of 32.
  expect(await costFor(await crowd(100, PERSONAL))).toBeLessThanOrEqual(PERSONAL_COST + 4);
}, 120_000);

test('for a hundred members of a channel, the receipts of a message cost the same as for one', async () => {
  const userIds = Array.from({ length: 100 }, (_, index) => `crowd-${index}`);
  await Promise.all(userIds.map((userId) => gateway.tokenOf(userId)));
  const select = 'channel { channelId defaultMessageFeedId }';
  const { channel } = await mutate(gateway, 'createChannel', { displayName: 'Receipts', userIds }, { select });
  const message = { channelId: channel.channelId, data: { text: 'Anybody?' } };
  await mutate(gateway, 'sendMessage', message, { select: 'clientMutationId' });
  const data = { messageFeedId: channel.defaultMessageFeedId, segment: 1 };
  const receipt = (path: string): NewEvent => ({ type: 'marker.feed-updated', path: `default/${path}`, data });
  expect(await costFor([await listen('crowd-0', RECEIPT)], receipt)).toBeLessThanOrEqual(RECEIPT_COST);
  expect(await costFor(await crowd(100, RECEIPT), receipt)).toBeLessThanOrEqual(RECEIPT_COST);
}, 120_000);

test('an event that no subscriber may see costs only its access check', async () => {
  const subscription = await listen('erin', PLAIN);
  await costFor([subscription]);
  const count = subscription.events.length;
  const next = (n: number) => costOf(() => subscription.until(count + n), ['grafting', 'seedlings']);
  await next(1);
  const commands = await next(2);
  expect(subscription.events).toHaveLength(count + 2);
  // The hidden event reads the post and its community; the missing membership of the reader is cached.
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(PLAIN_COST + 2);
});

test('for a REST event stream, an event costs the reads of the documented arrays', async () => {
  const headers = { authorization: `Bearer ${await gateway.tokenOf('bob')}` };
  const stream = await openStream(`${gateway.url}/realtime/post.updated`, { headers });
  closers.push(() => stream.stop());
  await costOf(() => stream.until(1));
  const commands = await costOf(() => stream.until(2));
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(WHOLE_COST);
});

test('a long poll costs its session and the event, and without a cursor also a read of the log', async () => {
  const path = '/realtime/post.updated';
  const { eventCursor } = await ask(gateway, '{ eventCursor }', { as: 'bob' });
  const next = await costOf(() => poll(`${path}?after=${eventCursor}&wait=10`));
  expect(next.length, next.join(' ')).toBeLessThanOrEqual(2 + WHOLE_COST);
  const newest = await costOf(() => poll(path));
  expect(newest.length, newest.join(' ')).toBeLessThanOrEqual(3 + WHOLE_COST);
});

test('a webhook pull costs the check of its key, a read of the log and the event', async () => {
  const headers = { 'x-server-key': gateway.keys.SERVER_KEY };
  const pull = () => costOf(() => poll('/webhook/v3.post.didUpdate', { as: null, headers }));
  await pull();
  const commands = await pull();
  expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(2 + WHOLE_COST);
});

async function poll(path: string, call: Parameters<TestGateway['rest']>[1] = { as: 'bob' }): Promise<void> {
  expect((await gateway.rest(path, call)).status).toBe(200);
}

test('reading the current cursor sends no command beyond the session check', async () => {
  await gateway.tokenOf('carol');
  expect(await gateway.commandsOf(() => ask(gateway, '{ eventCursor }', { as: 'carol' }))).toEqual(['find']);
});

test('stores all events of a write with one command', async () => {
  const inserts: number[] = [];
  const onCommand = (event: CommandStartedEvent) => {
    const stored = separateCommands(event).flatMap(({ command }) =>
      command.insert === 'events' ? (command.documents as unknown[]) : [],
    );
    if (stored.length > 0) inserts.push(stored.length);
  };
  const { client } = gateway.services.store;
  client.on('commandStarted', onCommand);
  const attachments = ['tomatoes-red', 'tomatoes-yellow'].map((fileId) => ({ type: 'IMAGE', fileId }));
  const mentionees = [{ type: 'USER', userIds: ['alice', 'carol'] }];
  const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: '@alice' }, attachments, mentionees };
  await mutate(gateway, 'createPost', input, { select: 'clientMutationId', as: 'bob' });
  const members = { communityId: 'gardeners', userIds: ['erin'] };
  await mutate(gateway, 'addCommunityMembers', members, { select: 'clientMutationId' });
  await mutate(gateway, 'banCommunityMembers', members, { select: 'clientMutationId' });
  client.off('commandStarted', onCommand);
  // The post with its children and mentions; the added and the banned member, each with the counts of members in community and chat.
  expect(inserts).toHaveLength(3);
  for (const count of inserts) expect(count).toBeGreaterThan(1);
});
