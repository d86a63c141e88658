import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebhookEndpointRecord } from '../../src/store/records/webhook.ts';
import { noteFailed, noteGone } from '../../src/webhooks/health.ts';
import { OK, type Receiver, startReceiver, status } from './receiver.ts';
import { anEvent, openWorkBench, type WorkBench } from './work-bench.ts';

/** Calls under way to an endpoint at a time; all others of a claim wait for their turn. */
const AT_ONCE = 8;
const EVENTS = 20;
const HOUR = 3_600_000;

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

const statesOf = async ({ networkId, endpointId }: WebhookEndpointRecord) =>
  (await bench.collections.webhookDeliveries.find({ networkId, endpointId }).toArray()).map(({ state }) => state);

/** Fills the turns, changes the endpoint and waits until what was read of it is too old, then lets the calls end. */
async function changeMeanwhile(change: (endpoint: WebhookEndpointRecord) => Promise<unknown>) {
  const endpoint = await bench.endpoint({ url: receiver.url });
  await bench.deliver(endpoint, ...Array.from({ length: EVENTS }, () => anEvent()));
  const waiting: Array<() => void> = [];
  receiver.answer((_, response) => void waiting.push(() => response.end('{}')));
  const running = bench.worker.runDue();
  await vi.waitUntil(() => receiver.received.length === AT_ONCE, { timeout: 15_000 });
  await change(endpoint);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  receiver.answer(OK);
  for (const end of waiting) end();
  await running;
  return endpoint;
}

const set = ({ networkId, endpointId }: WebhookEndpointRecord, changes: Partial<WebhookEndpointRecord>) =>
  bench.collections.webhookEndpoints.updateOne(
    { networkId, endpointId },
    { $set: changes, $min: { dueAt: bench.now() }, $inc: { queued: 1 } },
  );

test('what waits for its turn goes to where the endpoint has moved', async () => {
  const other = await startReceiver();
  await changeMeanwhile((endpoint) => set(endpoint, { url: other.url }));
  expect([receiver.received.length, other.received.length]).toEqual([AT_ONCE, EVENTS - AT_ONCE]);
  await other.close();
});

test('what waits for its turn stays when the endpoint is disabled, and goes out when it is enabled', async () => {
  const endpoint = await changeMeanwhile((one) => set(one, { enabled: false }));
  expect(receiver.received.length).toBe(AT_ONCE);
  await bench.worker.runDue();
  expect((await statesOf(endpoint)).filter((state) => state === 'pending').length).toBe(EVENTS - AT_ONCE);
  await set(endpoint, { enabled: true });
  await bench.worker.runDue();
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);
  expect(receiver.received.length).toBe(EVENTS);
});

test('what waits for its turn is dropped when the endpoint is deleted', async () => {
  const endpoint = await changeMeanwhile(({ networkId, endpointId }) =>
    bench.collections.webhookEndpoints.deleteOne({ networkId, endpointId }),
  );
  expect(receiver.received.length).toBe(AT_ONCE);
  expect((await statesOf(endpoint)).filter((state) => state === 'dropped').length).toBe(EVENTS - AT_ONCE);
});

test('a receiver that asks for silence is called no more, by nothing that was claimed already', async () => {
  receiver.answer(status(503, { 'retry-after': '3600' }));
  const endpoint = await bench.endpoint({ url: receiver.url });
  await bench.deliver(endpoint, ...Array.from({ length: EVENTS }, () => anEvent()));
  await bench.worker.runDue();
  expect(receiver.received.length).toBeLessThanOrEqual(AT_ONCE);
  expect((await bench.endpointNow(endpoint)).heldUntil).toEqual(new Date(bench.now().getTime() + HOUR));
  receiver.answer(OK);
  bench.advance(HOUR);
  await bench.worker.runDue();
  expect(await statesOf(endpoint)).toEqual(Array(EVENTS).fill('delivered'));
});

test.each(['webhook.ping', 'v3.post.didCreate'])(
  'silence is kept that the last attempt was asked for: %s',
  async (event) => {
    receiver.answer(status(429, { 'retry-after': '3600' }));
    const endpoint = await bench.endpoint({ url: receiver.url });
    const one = anEvent();
    await bench.deliver(endpoint, one);
    const { networkId, endpointId } = endpoint;
    await bench.collections.webhookDeliveries.updateOne(
      { networkId, endpointId, eventId: one.eventId },
      { $set: { event, body: '{"event":"webhook.ping","data":{}}', attemptCount: event === 'webhook.ping' ? 0 : 9 } },
    );
    await bench.worker.runDue();
    expect(await statesOf(endpoint)).toEqual(['failed']);
    expect((await bench.endpointNow(endpoint)).heldUntil).toEqual(new Date(bench.now().getTime() + HOUR));
  },
);

test('what was called under another URL, or failed before all was well again, says nothing of the endpoint', async () => {
  const { collections } = bench;
  const longAgo = new Date(bench.now().getTime() - 1_000 * HOUR);
  const called = await bench.endpoint({ url: receiver.url, failingSince: longAgo });
  await set(called, { url: `${receiver.url}/elsewhere`, failingSince: null });
  expect(await noteGone(collections, called, bench.now())).toBe(false);
  expect(await noteFailed(collections, called, bench.now())).toBe(false);
  await set(called, { url: receiver.url });
  expect(await noteFailed(collections, called, bench.now())).toBe(false);
  expect(await bench.endpointNow(called)).toMatchObject({ enabled: true, failingSince: null });
  await set(called, { failingSince: longAgo });
  expect(await noteFailed(collections, called, bench.now())).toBe(true);
});
