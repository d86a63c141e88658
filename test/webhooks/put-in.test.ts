import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { WebhookEndpointRecord } from '../../src/store/records/webhook.ts';
import type { RenderBody } from '../../src/webhooks/attempt.ts';
import { putIn } from '../../src/webhooks/enqueue.ts';
import { deliveryOf } from '../../src/webhooks/plan-deliveries.ts';
import { OK, type Receiver, startReceiver, status } from './receiver.ts';
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

const renderBody: RenderBody = async ({ event }) => JSON.stringify({ event: event.type, data: event.data });

/** Puts in what the worker of the same process has room for. @returns whether anything was left to be claimed */
async function put(endpoint: WebhookEndpointRecord, events: readonly EventRecord[], render = renderBody) {
  let isQueued = false;
  const options = {
    collections: bench.collections,
    renderBody: render,
    reserve: bench.worker.reserve,
    onQueued: () => {
      isQueued = true;
    },
  };
  const readAt = performance.now();
  const meant = events.map((event) => ({ delivery: deliveryOf(endpoint, event), endpoint, readAt }));
  await putIn(options, meant, { now: bench.now(), keptMs: 8 * 86_400_000 });
  return isQueued;
}

const some = (count: number) => Array.from({ length: count }, () => anEvent());
const statesOf = async ({ networkId, endpointId }: WebhookEndpointRecord) => {
  const found = await bench.collections.webhookDeliveries.find({ networkId, endpointId }).toArray();
  return found.map(({ state }) => state).sort();
};

test('what is put in goes out without a claim, once however often it is put in', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  const events = some(30);
  expect(await put(endpoint, events)).toBe(false);
  await bench.worker.runDue();
  const [one, two] = [anEvent(), anEvent()];
  await put(endpoint, [...events, one]);
  await put(endpoint, [one, two]);
  await bench.worker.runDue();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.sort()).toEqual([...events, one, two].map(({ eventId }) => `msg_${eventId}`).sort());
  expect(await statesOf(endpoint)).toEqual(Array(32).fill('delivered'));
  // The lease is over, and nothing is left of it.
  bench.advance(60_000);
  await bench.worker.runDue();
  expect(receiver.received.length).toBe(32);
  expect((await bench.endpointNow(endpoint)).dueAt).toBeUndefined();
});

test('what fails comes again with the same bytes, by the schedule', async () => {
  receiver.answer(status(500));
  const endpoint = await bench.endpoint({ url: receiver.url });
  await put(endpoint, some(1));
  await bench.worker.runDue();
  receiver.answer(OK);
  bench.advance(5_000);
  await bench.worker.runDue();
  const [first, second] = receiver.received;
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
  expect(await statesOf(endpoint)).toEqual(['delivered']);
});

test('an endpoint that fails, is held or is full has what is put in wait', async () => {
  const now = bench.now();
  const failing = await bench.endpoint({ url: receiver.url, failingSince: now });
  expect(await put(failing, some(3))).toBe(true);
  const held = await bench.endpoint({ url: receiver.url, heldUntil: new Date(now.getTime() + 10_000) });
  expect(await put(held, some(3))).toBe(true);
  await bench.worker.runDue();
  expect([await statesOf(failing), await statesOf(held)]).toEqual([
    Array(3).fill('delivered'),
    Array(3).fill('pending'),
  ]);
  bench.advance(10_000);
  await bench.worker.runDue();
  expect(await statesOf(held)).toEqual(Array(3).fill('delivered'));
});

test('a body that cannot be made is left to whoever claims it; one with nothing to tell is dropped at once', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  expect(await put(endpoint, some(1), () => Promise.reject(new Error('not now')))).toBe(true);
  await put(endpoint, some(1), async () => null);
  expect(await statesOf(endpoint)).toEqual(['dropped', 'pending']);
  await bench.worker.runDue();
  expect(await statesOf(endpoint)).toEqual(['delivered', 'dropped']);
});

test('a process that dies hands over what it had put in: it comes with the same bytes after the lease', async () => {
  const endpoint = await bench.endpoint({ url: receiver.url });
  const event = anEvent();
  receiver.answer(() => undefined);
  await put(endpoint, [event]);
  const other = bench.startWorker();
  await other.runDue();
  expect(receiver.received.length).toBeLessThanOrEqual(1);
  receiver.answer(OK);
  bench.advance(60_000);
  await other.runDue();
  expect((await bench.deliveryOf(endpoint, event)).state).toBe('delivered');
  await other.close();
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
});
