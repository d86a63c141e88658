import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { WebhookEndpointRecord } from '../../src/store/records/webhook.ts';
import { recordFailure, recordGone } from '../../src/webhooks/health.ts';
import { OK, type Receiver, startReceiver, status } from './receiver.ts';
import { anEvent, openWorkerHarness, shareStore, type WorkerHarness } from './worker-harness.ts';

/** Concurrent calls to an endpoint; all other claimed deliveries wait. */
const MAX_CALLS = 8;
const EVENTS = 20;
/** Longer than a cached endpoint is used. */
const STALE_MS = 2_000;
const HOUR = 3_600_000;

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

const statesOf = async ({ networkId, endpointId }: WebhookEndpointRecord) =>
  (await harness.collections.webhookDeliveries.find({ networkId, endpointId }).toArray()).map(({ state }) => state);

/** Occupies all calls, changes the endpoint, waits until the cached endpoint is stale, then lets the calls end. */
async function changeMeanwhile(change: (endpoint: WebhookEndpointRecord) => Promise<unknown>) {
  const endpoint = await harness.endpoint({ url: receiver.url });
  await harness.deliver(endpoint, ...Array.from({ length: EVENTS }, () => anEvent()));
  const waiting: Array<() => void> = [];
  receiver.answer((_, response) => void waiting.push(() => response.end('{}')));
  const running = harness.worker.runDue();
  await vi.waitUntil(() => receiver.received.length === MAX_CALLS, { timeout: 30_000 });
  await change(endpoint);
  const { now } = performance;
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + STALE_MS);
  onTestFinished(() => later.mockRestore());
  receiver.answer(OK);
  for (const end of waiting) end();
  await running;
  return endpoint;
}

const set = ({ networkId, endpointId }: WebhookEndpointRecord, changes: Partial<WebhookEndpointRecord>) =>
  harness.collections.webhookEndpoints.updateOne(
    { networkId, endpointId },
    { $set: changes, $min: { dueAt: harness.now() }, $inc: { queued: 1 } },
  );

test('sends waiting deliveries to the new URL of an endpoint', async () => {
  const other = await startReceiver();
  await changeMeanwhile((endpoint) => set(endpoint, { url: other.url }));
  expect([receiver.received.length, other.received.length]).toEqual([MAX_CALLS, EVENTS - MAX_CALLS]);
  await other.close();
});

test('keeps waiting deliveries of a disabled endpoint until it is enabled', async () => {
  const endpoint = await changeMeanwhile((one) => set(one, { enabled: false }));
  expect(receiver.received.length).toBe(MAX_CALLS);
  await harness.worker.runDue();
  expect((await statesOf(endpoint)).filter((state) => state === 'pending').length).toBe(EVENTS - MAX_CALLS);
  await set(endpoint, { enabled: true });
  await harness.worker.runDue();
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);
  expect(receiver.received.length).toBe(EVENTS);
});

test('drops waiting deliveries of a deleted endpoint', async () => {
  const endpoint = await changeMeanwhile(({ networkId, endpointId }) =>
    harness.collections.webhookEndpoints.deleteOne({ networkId, endpointId }),
  );
  expect(receiver.received.length).toBe(MAX_CALLS);
  expect((await statesOf(endpoint)).filter((state) => state === 'dropped').length).toBe(EVENTS - MAX_CALLS);
});

test('does not send claimed deliveries to a receiver that has requested a pause', async () => {
  receiver.answer(status(503, { 'retry-after': '3600' }));
  const endpoint = await harness.endpoint({ url: receiver.url });
  await harness.deliver(endpoint, ...Array.from({ length: EVENTS }, () => anEvent()));
  await harness.worker.runDue();
  expect(receiver.received.length).toBeLessThanOrEqual(MAX_CALLS);
  expect((await harness.readEndpoint(endpoint)).heldUntil).toEqual(new Date(harness.now().getTime() + HOUR));
  receiver.answer(OK);
  harness.advance(HOUR);
  await harness.worker.runDue();
  expect(await statesOf(endpoint)).toEqual(Array(EVENTS).fill('delivered'));
});

test.each(['webhook.ping', 'v3.post.didCreate'])(
  'honours a pause that the last attempt received: %s',
  async (event) => {
    receiver.answer(status(429, { 'retry-after': '3600' }));
    const endpoint = await harness.endpoint({ url: receiver.url });
    const one = anEvent();
    await harness.deliver(endpoint, one);
    const { networkId, endpointId } = endpoint;
    await harness.collections.webhookDeliveries.updateOne(
      { networkId, endpointId, eventId: one.eventId },
      { $set: { event, body: '{"event":"webhook.ping","data":{}}', attemptCount: event === 'webhook.ping' ? 0 : 9 } },
    );
    await harness.worker.runDue();
    expect(await statesOf(endpoint)).toEqual(['failed']);
    expect((await harness.readEndpoint(endpoint)).heldUntil).toEqual(new Date(harness.now().getTime() + HOUR));
  },
);

test('ignores results for another URL, and failures from before a success', async () => {
  const { collections } = harness;
  const longAgo = new Date(harness.now().getTime() - 1_000 * HOUR);
  const called = await harness.endpoint({ url: receiver.url, failingSince: longAgo });
  await set(called, { url: `${receiver.url}/elsewhere`, failingSince: null });
  expect(await recordGone(collections, called, harness.now())).toBe(false);
  expect(await recordFailure(collections, called, harness.now())).toBe(false);
  await set(called, { url: receiver.url });
  expect(await recordFailure(collections, called, harness.now())).toBe(false);
  expect(await harness.readEndpoint(called)).toMatchObject({ enabled: true, failingSince: null });
  await set(called, { failingSince: longAgo });
  expect(await recordFailure(collections, called, harness.now())).toBe(true);
});
