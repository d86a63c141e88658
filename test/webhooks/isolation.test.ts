import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { WebhookEndpointRecord } from '../../src/store/records/webhook.ts';
import type { Worker } from '../../src/webhooks/worker.ts';
import { OK, type Receiver, startReceiver } from './receiver.ts';
import { anEvent, openWorkerHarness, type WorkerHarness } from './worker-harness.ts';

const RECEIVERS = 10;
const ROUNDS = 40;

let harness: WorkerHarness;
let receivers: Receiver[];
let worker: Worker;
beforeAll(async () => {
  harness = await openWorkerHarness({ now: () => new Date() }, { timeoutMs: 3_000 });
  worker = harness.startWorker({ pollMs: 1_000 });
  receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()));
});
afterAll(async () => {
  await worker.close(0);
  await harness.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

/** Milliseconds between enqueueing an event and its arrival at the nine responsive receivers, in ascending order. */
async function lags(endpoints: readonly WebhookEndpointRecord[]): Promise<number[]> {
  const enqueuedAt = new Map<string, number>();
  const responsive = receivers.slice(1);
  for (const receiver of receivers) receiver.received.length = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const event = anEvent();
    enqueuedAt.set(`msg_${event.eventId}`, performance.now());
    for (const endpoint of endpoints) await harness.deliver(endpoint, event);
    worker.wake();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await vi.waitUntil(() => responsive.every(({ received }) => received.length >= ROUNDS), {
    timeout: 30_000,
    interval: 20,
  });
  return responsive
    .flatMap(({ received }) => received.map(({ headers, at }) => at - enqueuedAt.get(headers['webhook-id']!)!))
    .sort((a, b) => a - b);
}

const p99 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.99)]!;

test('delivers to nine receivers without delay while a tenth never answers', async () => {
  const endpoints = await Promise.all(receivers.map(({ url }) => harness.endpoint({ url })));
  const before = p99(await lags(endpoints));
  receivers[0]!.answer(() => undefined);
  const withDead = p99(await lags(endpoints));
  receivers[0]!.answer(OK);
  // If the dead receiver delayed the others, they would take many times longer.
  expect(withDead, `${withDead} ms beside a dead receiver, ${before} ms without`).toBeLessThan(before * 2 + 2_000);
  // The dead receiver is called, but not once for each waiting delivery.
  expect(receivers[0]!.received.length).toBeGreaterThan(0);
  expect(receivers[0]!.received.length).toBeLessThan(ROUNDS);
  expect(harness.errors).toEqual([]);
});
