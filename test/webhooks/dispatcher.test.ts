import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OperationError } from '../../src/errors.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import { acquireCheckpoint } from '../../src/webhooks/checkpoint.ts';
import { createDispatcher, type EventSource } from '../../src/webhooks/dispatcher.ts';
import { anEvent, openWorkerHarness, type WorkerHarness } from './worker-harness.ts';

let harness: WorkerHarness;
const running = new Set<{ close(): Promise<void> }>();
beforeEach(async () => {
  harness = await openWorkerHarness({}, {});
});
afterEach(async () => {
  for (const dispatcher of running) await dispatcher.close();
  running.clear();
  await harness.close();
});

/** An in-memory event log whose cursors are positions. */
function fakeLog() {
  const log: EventRecord[] = [];
  const subscribers = new Set<Parameters<EventSource['subscribe']>[0]>();
  const endpointListeners = new Set<() => void>();
  const cursorOf = (index: number) => String(index).padStart(8, '0');
  return {
    subscribers,
    /** As the log reports a new endpoint. */
    reportEndpoint(): void {
      for (const listener of endpointListeners) listener();
    },
    /** Positions before this one are no longer in the log. */
    keptFrom: 0,
    happen(event: EventRecord): void {
      log.push(event);
      for (const { onEvent } of subscribers) onEvent({ cursor: cursorOf(log.length), event });
    },
    sourceOf(): EventSource {
      return {
        get position() {
          return cursorOf(log.length);
        },
        ready: async () => cursorOf(0),
        onEndpoint: (listener) => {
          endpointListeners.add(listener);
          return () => endpointListeners.delete(listener);
        },
        onGap: () => () => undefined,
        subscribe: (subscriber) => {
          const from = Number(subscriber.after);
          setImmediate(() => {
            if (from < this.keptFrom) return subscriber.onLost(new OperationError('CURSOR_EXPIRED'));
            subscribers.add(subscriber);
            for (const [index, event] of log.slice(from).entries())
              subscriber.onEvent({ cursor: cursorOf(from + index + 1), event });
          });
          return { close: () => void subscribers.delete(subscriber) };
        },
      };
    },
  };
}

function start(log: ReturnType<typeof fakeLog>, holder: string) {
  const errors: unknown[] = [];
  const dispatcher = createDispatcher({
    collections: harness.collections,
    bodyStore: harness.bodyStore,
    events: log.sourceOf(),
    holder,
    now: () => new Date(),
    retentionMs: 86_400_000,
    // Longer than a busy machine may pause the process that holds the lease.
    leaseMs: 3_000,
    renderBody: async () => '{}',
    reserve: () => null,
    onQueued: () => undefined,
    onError: (error) => errors.push(error),
  });
  running.add(dispatcher);
  return { errors, close: dispatcher.close };
}

const wait = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 30_000, interval: 20 });
const queued = async () => {
  const found = await harness.collections.webhookDeliveries.find({ networkId: 'default' }).toArray();
  return found.map(({ eventId }) => eventId);
};

test('dispatches in one process, and continues at its checkpoint in another when it ends', async () => {
  const log = fakeLog();
  await harness.endpoint({ url: 'http://127.0.0.1/' });
  const one = start(log, 'one');
  await wait(() => log.subscribers.size === 1);
  const two = start(log, 'two');
  const events = Array.from({ length: 6 }, () => anEvent());
  for (const event of events.slice(0, 3)) log.happen(event);
  await wait(async () => (await queued()).length === 3);
  expect(log.subscribers.size).toBe(1);
  await one.close();
  for (const event of events.slice(3)) log.happen(event);
  await wait(async () => (await queued()).length === 6);
  expect((await queued()).sort()).toEqual(events.map(({ eventId }) => eventId).sort());
  expect([one.errors, two.errors]).toEqual([[], []]);
});

test('enqueues only subscribed events from after the creation of the endpoint', async () => {
  const log = fakeLog();
  await harness.endpoint({ url: 'http://127.0.0.1/', events: ['v3.post.didDelete'] });
  start(log, 'one');
  await wait(() => log.subscribers.size === 1);
  const wanted = anEvent({ type: 'post.deleted' });
  log.happen(anEvent());
  log.happen(anEvent({ type: 'post.deleted', networkId: 'elsewhere' }));
  log.happen(anEvent({ type: 'post.deleted', createdAt: new Date(Date.now() - 3_600_000) }));
  log.happen(wanted);
  await wait(async () => (await queued()).length > 0);
  expect(await queued()).toEqual([wanted.eventId]);
});

test('searches for endpoints of a network without any only after the log reports one', async () => {
  const log = fakeLog();
  const { webhookEndpoints } = harness.collections;
  let searches = 0;
  const find = webhookEndpoints.find.bind(webhookEndpoints);
  webhookEndpoints.find = ((...args: Parameters<typeof find>) => {
    searches += 1;
    return find(...args);
  }) as typeof find;
  await harness.endpoint({ url: 'http://127.0.0.1/', networkId: 'elsewhere' });
  start(log, 'one');
  await wait(() => log.subscribers.size === 1);
  const elsewhere = () => anEvent({ networkId: 'elsewhere' });
  const deliveries = async () => harness.collections.webhookDeliveries.countDocuments({});
  log.happen(anEvent());
  log.happen(elsewhere());
  await wait(async () => (await deliveries()) === 1);
  searches = 0;
  for (let count = 0; count < 5; count++) log.happen(anEvent());
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(searches).toBe(0);
  log.happen(elsewhere());
  await wait(async () => (await deliveries()) === 2);
  expect(searches).toBe(1);

  await harness.endpoint({ url: 'http://127.0.0.1/' });
  log.reportEndpoint();
  const wanted = anEvent();
  log.happen(wanted);
  await wait(async () => (await queued()).length === 1);
  expect(await queued()).toEqual([wanted.eventId]);
});

test('reads event records when the log no longer holds the cursor, without loss or duplicates', async () => {
  const log = fakeLog();
  const endpoint = await harness.endpoint({ url: 'http://127.0.0.1/', createdAt: new Date(Date.now() - 3_600_000) });
  const one = start(log, 'one');
  await wait(() => log.subscribers.size === 1);
  const [known, missed, late, after] = [anEvent(), anEvent(), anEvent(), anEvent()] as const;
  log.happen(known);
  await wait(async () => (await queued()).length === 1);
  await one.close();
  // Committed while no dispatcher reads; the id of one event is older than those dispatched before.
  const aMinuteAgo = Math.floor(Date.now() / 1_000 - 60).toString(16);
  const older = anEvent({ eventId: aMinuteAgo.padEnd(24, '0') });
  for (const event of [missed, late, older]) log.happen(event);
  await harness.collections.events.insertMany([known, missed, late, older]);
  log.keptFrom = 4;
  start(log, 'two');
  await wait(async () => (await queued()).length === 4);
  await wait(() => log.subscribers.size === 1);
  log.happen(after);
  await wait(async () => (await queued()).length === 5);
  expect((await queued()).sort()).toEqual([known, missed, late, older, after].map(({ eventId }) => eventId).sort());
  expect((await harness.readEndpoint(endpoint)).dueAt).toBeInstanceOf(Date);
});

test('dispatches events from before the first cursor: of a new deployment, and after the creator of the checkpoint died', async () => {
  const log = fakeLog();
  await harness.endpoint({ url: 'http://127.0.0.1/' });
  const events = [anEvent(), anEvent(), anEvent()] as const;
  log.happen(events[0]);
  await harness.collections.events.insertOne(events[0]);
  const dead = { holder: 'dead', leaseMs: 50, now: () => new Date() };
  expect(await acquireCheckpoint(harness.collections, dead)).toMatchObject({ cursor: null });
  log.happen(events[1]);
  await harness.collections.events.insertOne(events[1]);
  start(log, 'one');
  await wait(() => log.subscribers.size === 1);
  log.happen(events[2]);
  await wait(async () => (await queued()).length === 3);
  expect((await queued()).sort()).toEqual(events.map(({ eventId }) => eventId).sort());
});

test('ignores a lease that a wrong clock granted', async () => {
  const { webhookPositions } = harness.collections;
  const lease = (holder: string) => ({ holder, leaseMs: 30_000, now: () => new Date() });
  expect(await acquireCheckpoint(harness.collections, lease('one'))).toMatchObject({ holder: 'one' });
  expect(await acquireCheckpoint(harness.collections, lease('two'))).toBe(null);
  await webhookPositions.updateOne({ networkId: '*' }, { $set: { leaseEndsAt: new Date(Date.now() + 50_000) } });
  expect(await acquireCheckpoint(harness.collections, lease('two'))).toBe(null);
  await webhookPositions.updateOne({ networkId: '*' }, { $set: { leaseEndsAt: new Date(Date.now() + 3_600_000) } });
  expect(await acquireCheckpoint(harness.collections, lease('two'))).toMatchObject({ holder: 'two' });
});
