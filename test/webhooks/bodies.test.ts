import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { WebhookEndpointRecord } from '../../src/store/records/webhook.ts';
import { enqueue } from '../../src/webhooks/enqueue.ts';
import { deliveryOf } from '../../src/webhooks/plan-deliveries.ts';
import { OK, type Receiver, startReceiver, status } from './receiver.ts';
import { anEvent, openWorkerHarness, type WorkerHarness } from './worker-harness.ts';

const BODY = JSON.stringify({ text: 'café '.repeat(1_000) });

let harness: WorkerHarness;
let receiver: Receiver;
beforeEach(async () => {
  harness = await openWorkerHarness({ renderBody: async () => BODY });
  receiver = await startReceiver();
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
});

const someEndpoints = (count: number) =>
  Promise.all(Array.from({ length: count }, () => harness.endpoint({ url: receiver.url })));

/** Enqueues the event for all endpoints in the process of the worker, which sends it without a claim. */
async function enqueueLocally(endpoints: readonly WebhookEndpointRecord[], event: EventRecord): Promise<void> {
  const { collections, bodyStore, worker } = harness;
  const options = { collections, bodyStore, renderBody: async () => BODY, reserve: worker.reserve, onQueued() {} };
  const planned = endpoints.map((endpoint) => ({ delivery: deliveryOf(endpoint, event), endpoint, readAt: 0 }));
  await enqueue(options, planned, { now: harness.now(), retentionMs: 8 * 86_400_000 });
}

const bodiesOf = ({ networkId, eventId }: EventRecord) =>
  harness.collections.webhookBodies.find({ networkId, eventId }).hint('_id_').toArray();

test('stores a body once for all endpoints of an event, and longer than their deliveries', async () => {
  const endpoints = await someEndpoints(3);
  const [enqueued, claimed] = [anEvent(), anEvent()];
  await enqueueLocally(endpoints, enqueued);
  for (const endpoint of endpoints) await harness.deliver(endpoint, claimed);
  await harness.worker.runDue();
  expect(receiver.received.map(({ body }) => body)).toEqual(Array(6).fill(BODY));
  for (const event of [enqueued, claimed]) {
    const [stored, ...others] = await bodiesOf(event);
    expect(others).toEqual([]);
    for (const endpoint of endpoints) {
      const delivery = await harness.deliveryOf(endpoint, event);
      expect(delivery).toMatchObject({ state: 'delivered', bodyId: stored!.bodyId, body: null });
      expect(stored!.expiresAt.getTime()).toBeGreaterThan(delivery.expiresAt.getTime());
    }
  }
});

test('stores a body again for a delivery of the same batch that outlives it', async () => {
  const { networkId, eventId } = anEvent();
  const expiresAt = [1, 8].map((days) => new Date(harness.now().getTime() + days * 86_400_000));
  const deliveries = expiresAt.map((end) => ({ networkId, eventId, expiresAt: end }));
  const stored = await harness.bodyStore.store(deliveries.map((delivery) => ({ delivery, body: BODY })));
  for (const [index, { bodyId }] of stored.entries()) {
    const body = await harness.collections.webhookBodies.findOne({ networkId, bodyId });
    expect(body!.expiresAt.getTime()).toBeGreaterThan(expiresAt[index]!.getTime());
  }
});

test('reads the stored body for a later attempt, in any process', async () => {
  receiver.answer(status(500));
  const endpoints = await someEndpoints(2);
  const event = anEvent();
  await enqueueLocally(endpoints, event);
  await harness.worker.runDue();
  receiver.answer(OK);
  harness.advance(5_000);
  const other = harness.startWorker({ renderBody: async () => 'rendered again' });
  await other.runDue();
  expect(receiver.received.map(({ body }) => body)).toEqual(Array(4).fill(BODY));
  await other.close();
});

test('sends a delivery that contains its body, as earlier releases stored it', async () => {
  const [endpoint] = await someEndpoints(1);
  const event = anEvent();
  await harness.deliver(endpoint!, event);
  const { networkId, endpointId } = endpoint!;
  const { eventId } = event;
  await harness.collections.webhookDeliveries.updateOne(
    { networkId, endpointId, eventId },
    { $set: { body: '{"earlier":true}', source: null } },
  );
  await harness.worker.runDue();
  expect(receiver.received.map(({ body }) => body)).toEqual(['{"earlier":true}']);
  expect(await bodiesOf(event)).toEqual([]);
});

test('renders a body again that was removed after a failed attempt, from the event in the log', async () => {
  receiver.answer(status(500));
  const endpoints = await someEndpoints(2);
  const event = anEvent();
  await harness.collections.events.insertOne(event);
  // Stored with its body, a delivery does not contain the event.
  await enqueueLocally(endpoints, event);
  await harness.worker.runDue();
  const { networkId, endpointId, eventId, bodyId } = await harness.deliveryOf(endpoints[0]!, event);
  await harness.collections.webhookBodies.deleteOne({ networkId, bodyId: bodyId! });
  // An erasure also removes the reference.
  await harness.collections.webhookDeliveries.updateOne({ networkId, endpointId, eventId }, { $unset: { bodyId: '' } });
  harness.advance(5_000);
  await harness.worker.runDue();
  receiver.answer(OK);
  harness.advance(3_600_000);
  await harness.worker.runDue();
  for (const endpoint of endpoints)
    expect(await harness.deliveryOf(endpoint, event)).toMatchObject({ state: 'delivered', attemptCount: 3 });
  expect(receiver.received.map(({ body }) => body)).toEqual(Array(6).fill(BODY));
});

test('ends a delivery whose body and event were removed, and does not count it against the endpoint', async () => {
  receiver.answer(status(500));
  const [endpoint] = await someEndpoints(1);
  const event = anEvent();
  await enqueueLocally([endpoint!], event);
  await harness.worker.runDue();
  const { networkId, endpointId } = endpoint!;
  await harness.collections.webhookEndpoints.updateOne({ networkId, endpointId }, { $set: { failingSince: null } });
  const { bodyId } = await harness.deliveryOf(endpoint!, event);
  await harness.collections.webhookBodies.deleteOne({ networkId, bodyId: bodyId! });
  harness.advance(5_000);
  await harness.worker.runDue();
  const { state, attempts } = await harness.deliveryOf(endpoint!, event);
  expect([state, attempts.length, attempts[1]]).toMatchObject([
    'failed',
    2,
    { status: null, error: 'the body is no longer stored' },
  ]);
  expect(receiver.received.length).toBe(1);
  expect((await harness.readEndpoint(endpoint!)).failingSince).toBe(null);
});
