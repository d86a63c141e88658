import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Worker } from '../../src/webhooks/worker.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { anEvent, openWorkerHarness, type WorkerHarness } from './worker-harness.ts';

const RECEIVERS = 10;
const ROUNDS = 40;
/** Of a call: longer than the deliveries to the responsive receivers may take. */
const TIMEOUT_MS = 120_000;
const DELIVERED = { timeout: 60_000, interval: 20 };

let harness: WorkerHarness;
let receivers: Receiver[];
let worker: Worker;
beforeAll(async () => {
  harness = await openWorkerHarness({ now: () => new Date() }, { timeoutMs: TIMEOUT_MS });
  worker = harness.startWorker({ pollMs: 1_000 });
  receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()));
});
afterAll(async () => {
  await worker.close({ answersWithinMs: 0 });
  await harness.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

test('delivers to nine receivers without delay while a tenth never answers', async () => {
  const endpoints = await Promise.all(receivers.map(({ url }) => harness.endpoint({ url })));
  const [dead, ...responsive] = receivers;
  dead!.answer(() => undefined);
  for (let round = 0; round < ROUNDS; round += 1) {
    const event = anEvent();
    for (const endpoint of endpoints) await harness.deliver(endpoint, event);
    worker.wake();
  }
  // If a call to the dead receiver delayed the others, it would do so until its timeout.
  await vi.waitUntil(() => responsive.every(({ received }) => received.length >= ROUNDS), DELIVERED);
  // The dead receiver is called, but not once for each waiting delivery.
  expect(dead!.received.length).toBeGreaterThan(0);
  expect(dead!.received.length).toBeLessThan(ROUNDS);
  expect(harness.errors).toEqual([]);
}, 120_000);
