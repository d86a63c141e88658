import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { WebhookEndpointRecord } from '../../src/store/records/webhook.ts';
import type { RenderBody } from '../../src/webhooks/attempt.ts';
import { enqueue } from '../../src/webhooks/enqueue.ts';
import { deliveryOf } from '../../src/webhooks/plan-deliveries.ts';
import { OK, type Receiver, startReceiver, status } from './receiver.ts';
import { anEvent, openWorkerHarness, shareStore, type WorkerHarness } from './worker-harness.ts';

shareStore();

let harness: WorkerHarness;
let receiver: Receiver;
beforeEach(async () => {
  harness = await openWorkerHarness();
  receiver = await startReceiver();
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const renderBody: RenderBody = async ({ event }) => JSON.stringify({ event: event.type, data: event.data });

/** Enqueues deliveries in the process of the worker. @returns whether any delivery has to be claimed */
async function enqueueLocally(endpoint: WebhookEndpointRecord, events: readonly EventRecord[], render = renderBody) {
  let isQueued = false;
  const options = {
    collections: harness.collections,
    bodyStore: harness.bodyStore,
    renderBody: render,
    reserve: harness.worker.reserve,
    onQueued: () => {
      isQueued = true;
    },
  };
  const readAt = performance.now();
  const planned = events.map((event) => ({ delivery: deliveryOf(endpoint, event), endpoint, readAt }));
  await enqueue(options, planned, { now: harness.now(), retentionMs: 8 * 86_400_000 });
  return isQueued;
}

const eventsOf = (count: number) => Array.from({ length: count }, () => anEvent());
const statesOf = async ({ networkId, endpointId }: WebhookEndpointRecord) => {
  const found = await harness.collections.webhookDeliveries.find({ networkId, endpointId }).toArray();
  return found.map(({ state }) => state).sort();
};

test('sends enqueued deliveries without a claim, once however often they are enqueued', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const events = eventsOf(30);
  expect(await enqueueLocally(endpoint, events)).toBe(false);
  await harness.worker.runDue();
  const [one, two] = [anEvent(), anEvent()];
  await enqueueLocally(endpoint, [...events, one]);
  await enqueueLocally(endpoint, [one, two]);
  await harness.worker.runDue();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.sort()).toEqual([...events, one, two].map(({ eventId }) => `msg_${eventId}`).sort());
  expect(await statesOf(endpoint)).toEqual(Array(32).fill('delivered'));
  // After the lease has ended, no delivery is due.
  harness.advance(60_000);
  await harness.worker.runDue();
  expect(receiver.received.length).toBe(32);
  expect((await harness.readEndpoint(endpoint)).dueAt).toBeUndefined();
});

test('retries failed deliveries with the same bytes, by the schedule', async () => {
  receiver.answer(status(500));
  const endpoint = await harness.endpoint({ url: receiver.url });
  await enqueueLocally(endpoint, eventsOf(1));
  await harness.worker.runDue();
  receiver.answer(OK);
  harness.advance(5_000);
  await harness.worker.runDue();
  const [first, second] = receiver.received;
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
  expect(await statesOf(endpoint)).toEqual(['delivered']);
});

test('leaves deliveries to be claimed when the endpoint fails, is paused or is full', async () => {
  const now = harness.now();
  const failing = await harness.endpoint({ url: receiver.url, failingSince: now });
  expect(await enqueueLocally(failing, eventsOf(3))).toBe(true);
  const paused = await harness.endpoint({ url: receiver.url, heldUntil: new Date(now.getTime() + 10_000) });
  expect(await enqueueLocally(paused, eventsOf(3))).toBe(true);
  await harness.worker.runDue();
  expect([await statesOf(failing), await statesOf(paused)]).toEqual([
    Array(3).fill('delivered'),
    Array(3).fill('pending'),
  ]);
  harness.advance(10_000);
  await harness.worker.runDue();
  expect(await statesOf(paused)).toEqual(Array(3).fill('delivered'));
});

test('leaves a body that cannot be rendered to the claiming worker, and drops one without content', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  expect(await enqueueLocally(endpoint, eventsOf(1), () => Promise.reject(new Error('not now')))).toBe(true);
  await enqueueLocally(endpoint, eventsOf(1), async () => null);
  expect(await statesOf(endpoint)).toEqual(['dropped', 'pending']);
  await harness.worker.runDue();
  expect(await statesOf(endpoint)).toEqual(['delivered', 'dropped']);
});

test('sends deliveries of a dead process after its lease, with the same bytes', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const event = anEvent();
  receiver.answer(() => undefined);
  await enqueueLocally(endpoint, [event]);
  const other = harness.startWorker();
  await other.runDue();
  expect(receiver.received.length).toBeLessThanOrEqual(1);
  receiver.answer(OK);
  harness.advance(60_000);
  await other.runDue();
  expect((await harness.deliveryOf(endpoint, event)).state).toBe('delivered');
  await other.close();
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
});
