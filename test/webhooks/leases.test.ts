import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claim } from '../../src/webhooks/queue.ts';
import { createWriter } from '../../src/webhooks/writer.ts';
import { OK, type Receiver, startReceiver } from './receiver.ts';
import { anEvent, openWorkerHarness, type WorkerHarness } from './worker-harness.ts';

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

const idsAt = () => receiver.received.map(({ headers }) => headers['webhook-id']);

test('sends each delivery once from several processes', async () => {
  const endpoints = await Promise.all([receiver, receiver].map(({ url }) => harness.endpoint({ url })));
  const events = Array.from({ length: 60 }, () => anEvent());
  for (const endpoint of endpoints) await harness.deliver(endpoint, ...events);
  const workers = [harness.worker, harness.startWorker(), harness.startWorker()];
  await Promise.all(workers.map((worker) => worker.runDue()));
  // Each id twice: once for each endpoint.
  const counts = countsOf(idsAt());
  expect([...counts.values()]).toEqual(Array(60).fill(2));
  await Promise.all(workers.slice(1).map((worker) => worker.close()));
});

function countsOf(ids: ReadonlyArray<string | undefined>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id!, (counts.get(id!) ?? 0) + 1);
  return counts;
}

test('sends unfinished deliveries of another process after its lease, with the same bytes', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const event = anEvent();
  await harness.deliver(endpoint, event);
  receiver.answer(() => undefined);
  const dying = harness.startWorker({ leaseMs: 60_000 });
  const running = dying.runDue();
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 30_000 });
  receiver.answer(OK);
  // The lease has not ended.
  await harness.worker.runDue();
  harness.advance(59_000);
  await harness.worker.runDue();
  expect(receiver.received.length).toBe(1);
  harness.advance(1_000);
  await harness.worker.runDue();
  expect(receiver.received.length).toBe(2);
  const [first, second] = receiver.received;
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
  expect((await harness.deliveryOf(endpoint, event)).state).toBe('delivered');
  // A late result of the previous holder has no effect.
  await dying.close({ answersWithinMs: 0 });
  await running;
  expect(await harness.deliveryOf(endpoint, event)).toMatchObject({ state: 'delivered', attemptCount: 1 });
});

test('releases unanswered deliveries when a process ends, for others to send immediately', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const event = anEvent();
  await harness.deliver(endpoint, event);
  receiver.answer(() => undefined);
  const ending = harness.startWorker();
  const running = ending.runDue();
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 30_000 });
  await ending.close({ answersWithinMs: 0 });
  await running;
  expect(await harness.deliveryOf(endpoint, event)).toMatchObject({ state: 'pending', attemptCount: 0, lease: null });
  receiver.answer(OK);
  await harness.worker.runDue();
  expect(await harness.deliveryOf(endpoint, event)).toMatchObject({ state: 'delivered', attemptCount: 1 });
});

test('stores a delivery once, however often it is enqueued', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const [one, two] = [anEvent(), anEvent()];
  await harness.deliver(endpoint, one);
  await harness.deliver(endpoint, one, two);
  await harness.worker.runDue();
  await harness.deliver(endpoint, one, two);
  await harness.worker.runDue();
  expect(receiver.received.length).toBe(2);
});

test('sends nothing to a disabled endpoint, and waiting deliveries when it is enabled', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url, enabled: false });
  await harness.deliver(endpoint, anEvent());
  await harness.worker.runDue();
  expect(receiver.received).toEqual([]);
  const key = { networkId: endpoint.networkId, endpointId: endpoint.endpointId };
  await harness.collections.webhookEndpoints.updateOne(key, {
    $set: { enabled: true },
    $min: { dueAt: harness.now() },
    $inc: { queued: 1 },
  });
  await harness.worker.runDue();
  expect(receiver.received.length).toBe(1);
});

test('retries a body that cannot be rendered, and drops one without content', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const [failing, empty] = [anEvent(), anEvent()];
  let isFixed = false;
  const worker = harness.startWorker({
    async renderBody({ event: { eventId } }) {
      if (eventId === empty.eventId) return null;
      if (!isFixed) throw new Error('not now');
      return '{"fixed":true}';
    },
  });
  await harness.deliver(endpoint, failing, empty);
  await worker.runDue();
  expect(await harness.deliveryOf(endpoint, failing)).toMatchObject({
    state: 'pending',
    attempts: [{ error: 'the body could not be rendered' }],
  });
  expect((await harness.deliveryOf(endpoint, empty)).state).toBe('dropped');
  const { networkId, endpointId } = endpoint;
  const uncalled = await harness.collections.webhookEndpoints.findOne({ networkId, endpointId });
  expect(uncalled).toMatchObject({ enabled: true, failingSince: null });
  isFixed = true;
  harness.advance(10_000);
  await worker.runDue();
  expect(receiver.received.map(({ body }) => body)).toEqual(['{"fixed":true}']);
  await worker.close();
});

test('reports for each batched change whether its lease still held', async () => {
  const endpoint = await harness.endpoint({ url: receiver.url });
  const events = Array.from({ length: 5 }, () => anEvent());
  await harness.deliver(endpoint, ...events);
  const { deliveries: mine } = await claim(harness.collections, endpoint, {
    limit: 5,
    now: harness.now(),
    leaseMs: 1_000,
  });
  expect(mine.length).toBe(5);
  const writer = createWriter(harness.collections, harness.bodyStore);
  const deliveries = mine.map((delivery, index) =>
    index === 2 ? { ...delivery, lease: 'of another process' } : delivery,
  );
  const kept = await Promise.all(deliveries.map((delivery) => writer.storeBody(delivery, '{}')));
  expect(kept.map((stored) => stored && String(stored.bytes))).toEqual(['{}', '{}', null, '{}', '{}']);
  const stored = await Promise.all(mine.map(({ eventId }) => harness.deliveryOf(endpoint, { ...anEvent(), eventId })));
  expect(stored.map(({ bodyId }) => bodyId)).toEqual(kept.map((one) => one?.bodyId));
});
