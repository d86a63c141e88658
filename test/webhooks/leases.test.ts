import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claim } from '../../src/webhooks/queue.ts';
import { createWriter } from '../../src/webhooks/writer.ts';
import { OK, type Receiver, startReceiver } from './receiver.ts';
import { anEvent, openWorkBench, type WorkBench } from './work-bench.ts';

let bench: WorkBench;
let receiver: Receiver;
beforeEach(async () => {
  bench = await openWorkBench();
  receiver = await startReceiver();
});
afterEach(async () => {
  await bench.close();
  await receiver.close();
});

const idsAt = () => receiver.received.map(({ headers }) => headers['webhook-id']);

test('several processes share the work: each delivery goes out once', async () => {
  const endpoints = await Promise.all([receiver, receiver].map(({ url }) => bench.endpoint({ url })));
  const events = Array.from({ length: 60 }, () => anEvent());
  for (const endpoint of endpoints) await bench.deliver(endpoint, ...events);
  const workers = [bench.worker, bench.startWorker(), bench.startWorker()];
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

test('what a process has claimed and did not finish goes to another one after the lease, with the same bytes', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  const event = anEvent();
  await bench.deliver(endpoint, event);
  receiver.answer(() => undefined);
  const dying = bench.startWorker({ leaseMs: 60_000 });
  const running = dying.runDue();
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 15_000 });
  receiver.answer(OK);
  // It is still held.
  await bench.worker.runDue();
  bench.advance(59_000);
  await bench.worker.runDue();
  expect(receiver.received.length).toBe(1);
  bench.advance(1_000);
  await bench.worker.runDue();
  expect(receiver.received.length).toBe(2);
  const [first, second] = receiver.received;
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
  expect((await bench.deliveryOf(endpoint, event)).state).toBe('delivered');
  // Whoever comes back late changes nothing any more.
  await dying.close(0);
  await running;
  expect(await bench.deliveryOf(endpoint, event)).toMatchObject({ state: 'delivered', attemptCount: 1 });
});

test('a process that ends gives back what has not been answered: another one sends it at once', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  const event = anEvent();
  await bench.deliver(endpoint, event);
  receiver.answer(() => undefined);
  const ending = bench.startWorker();
  const running = ending.runDue();
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 15_000 });
  await ending.close(0);
  await running;
  expect(await bench.deliveryOf(endpoint, event)).toMatchObject({ state: 'pending', attemptCount: 0, lease: null });
  receiver.answer(OK);
  await bench.worker.runDue();
  expect(await bench.deliveryOf(endpoint, event)).toMatchObject({ state: 'delivered', attemptCount: 1 });
});

test('an event is put in once, however often', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  const [one, two] = [anEvent(), anEvent()];
  await bench.deliver(endpoint, one);
  await bench.deliver(endpoint, one, two);
  await bench.worker.runDue();
  await bench.deliver(endpoint, one, two);
  await bench.worker.runDue();
  expect(receiver.received.length).toBe(2);
});

test('a disabled endpoint is sent nothing; what waits goes out when it is enabled', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url, enabled: false });
  await bench.deliver(endpoint, anEvent());
  await bench.worker.runDue();
  expect(receiver.received).toEqual([]);
  const key = { networkId: endpoint.networkId, endpointId: endpoint.endpointId };
  await bench.collections.webhookEndpoints.updateOne(key, {
    $set: { enabled: true },
    $min: { dueAt: bench.now() },
    $inc: { queued: 1 },
  });
  await bench.worker.runDue();
  expect(receiver.received.length).toBe(1);
});

test('a body that cannot be made is tried again; one that has nothing to tell is dropped', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  const [failing, empty] = [anEvent(), anEvent()];
  let isFixed = false;
  const worker = bench.startWorker({
    async renderBody({ event: { eventId } }) {
      if (eventId === empty.eventId) return null;
      if (!isFixed) throw new Error('not now');
      return '{"fixed":true}';
    },
  });
  await bench.deliver(endpoint, failing, empty);
  await worker.runDue();
  expect(await bench.deliveryOf(endpoint, failing)).toMatchObject({
    state: 'pending',
    attempts: [{ error: 'the body could not be made' }],
  });
  expect((await bench.deliveryOf(endpoint, empty)).state).toBe('dropped');
  const { networkId, endpointId } = endpoint;
  const uncalled = await bench.collections.webhookEndpoints.findOne({ networkId, endpointId });
  expect(uncalled).toMatchObject({ enabled: true, failingSince: null });
  isFixed = true;
  bench.advance(10_000);
  await worker.runDue();
  expect(receiver.received.map(({ body }) => body)).toEqual(['{"fixed":true}']);
  await worker.close();
});

test('of changes that leave together each knows whether its lease still held', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  const events = Array.from({ length: 5 }, () => anEvent());
  await bench.deliver(endpoint, ...events);
  const { deliveries: mine } = await claim(bench.collections, endpoint, { limit: 5, now: bench.now(), leaseMs: 1_000 });
  expect(mine.length).toBe(5);
  const writer = createWriter(bench.collections);
  const deliveries = mine.map((delivery, index) =>
    index === 2 ? { ...delivery, lease: 'of somebody else' } : delivery,
  );
  const kept = await Promise.all(deliveries.map((delivery) => writer.keepBody(delivery, '{}')));
  expect(kept).toEqual([true, true, false, true, true]);
  expect((await bench.deliveryOf(endpoint, { ...anEvent(), eventId: mine[2]!.eventId })).body).toBe(null);
});
