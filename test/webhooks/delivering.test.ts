import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { status } from './receiver.ts';
import { type Any, openWebhookFixtures, type WebhookFixtures } from './webhook-fixtures.ts';

let fixtures: WebhookFixtures;
beforeAll(async () => {
  fixtures = await openWebhookFixtures();
});
afterAll(() => fixtures.close());
beforeEach(() => fixtures.clear());

test('delivers a post signed, in the form of the long-poll transport', async () => {
  const { secret, endpoint } = await fixtures.createEndpoint();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const postId = await fixtures.post('hello webhooks');
  await fixtures.arrived(1);
  const [one] = fixtures.receiver.received;
  const body = new Webhook(secret).verify(one!.body, one!.headers) as Any;
  expect(body).toMatchObject({ event: 'post.didCreate', data: { posts: [{ postId }] } });
  const pulled = await fetch(`${fixtures.gateway.url}/webhook/v3.post.didCreate`, {
    headers: { 'x-server-key': fixtures.gateway.keys.SERVER_KEY },
  });
  expect(await pulled.text()).toBe(one!.body);
  await vi.waitUntil(async () => (await fixtures.deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED', {
    timeout: 30_000,
  });
  expect(await fixtures.deliveries(endpoint.endpointId)).toEqual([
    expect.objectContaining({
      webhookId: one!.headers['webhook-id'],
      event: 'v3.post.didCreate',
      body: one!.body,
      attemptCount: 1,
      nextAttemptAt: null,
      attempts: [{ status: 200, error: null, response: '{}', durationMs: expect.any(Number) }],
    }),
  ]);
});

test('delivers to an endpoint that is created or enabled after events without one', async () => {
  await fixtures.post('before the endpoint');
  await fixtures.dispatched();
  const { endpoint } = await fixtures.createEndpoint();
  const first = await fixtures.post('after its creation');
  await fixtures.arrived(1);
  const setEnabled = (enabled: boolean) =>
    fixtures.mutate(
      enabled ? 'enableWebhookEndpoint' : 'disableWebhookEndpoint',
      { endpointId: endpoint.endpointId },
      'endpoint { enabled }',
    );
  await setEnabled(false);
  await fixtures.post('while it is disabled');
  await fixtures.dispatched();
  await setEnabled(true);
  const second = await fixtures.post('after it was enabled');
  await fixtures.arrived(2);
  const delivered = fixtures.receiver.received.map(({ body }) => JSON.parse(body).data.posts[0].postId);
  expect(delivered).toEqual([first, second]);
});

test('delivers the result of a selection as a subscriber would receive it', async () => {
  const selection = 'subscription { postCreated { type path post { postId author { displayName } } } }';
  await fixtures.createEndpoint({ selection });
  const postId = await fixtures.post('selected');
  await fixtures.arrived(1);
  expect(JSON.parse(fixtures.receiver.received[0]!.body)).toEqual({
    data: {
      postCreated: {
        type: 'POST_CREATED',
        path: expect.stringContaining(`/post/${postId}`),
        post: { postId, author: { displayName: 'Alice Moor' } },
      },
    },
  });
});

test('sends a test ping once, even when it fails', async () => {
  const { secret, endpoint } = await fixtures.createEndpoint();
  fixtures.receiver.answer(status(500));
  const { delivery } = await fixtures.mutate(
    'sendTestPing',
    { endpointId: endpoint.endpointId },
    'delivery { deliveryId state event }',
  );
  expect(delivery).toMatchObject({ state: 'PENDING', event: 'webhook.ping' });
  await fixtures.arrived(1);
  const [one] = fixtures.receiver.received;
  expect(new Webhook(secret).verify(one!.body, one!.headers)).toMatchObject({ event: 'webhook.ping' });
  await vi.waitUntil(async () => (await fixtures.deliveries(endpoint.endpointId, ', state: FAILED')).length === 1, {
    timeout: 30_000,
  });
  expect(
    (
      await fixtures.gateway.graphql<Any>(
        `{ webhookEndpoint(endpointId: "${endpoint.endpointId}") { failingSince } }`,
        {
          as: 'admin',
        },
      )
    ).data,
  ).toEqual({ webhookEndpoint: { failingSince: null } });
});

test('replays a delivery with the same bytes and id, and keeps its attempts', async () => {
  const { endpoint } = await fixtures.createEndpoint();
  await fixtures.post('once more');
  await fixtures.arrived(1);
  await vi.waitUntil(async () => (await fixtures.deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED', {
    timeout: 30_000,
  });
  const [{ deliveryId, eventId }] = (await fixtures.deliveries(endpoint.endpointId)) as [Any];
  const expireSoon = { $set: { expiresAt: new Date(Date.now() + 60_000) } };
  await fixtures.gateway.services.store.collections.webhookBodies.updateOne(
    { networkId: 'default', eventId },
    expireSoon,
  );
  const replayed = await fixtures.mutate(
    'replayWebhookDelivery',
    { deliveryId },
    'delivery { state attemptCount nextAttemptAt }',
  );
  expect(replayed.delivery).toMatchObject({ state: 'PENDING', attemptCount: 0, nextAttemptAt: expect.any(String) });
  await fixtures.arrived(2);
  const [first, second] = fixtures.receiver.received;
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
  await vi.waitUntil(async () => (await fixtures.deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED', {
    timeout: 30_000,
  });
  expect((await fixtures.deliveries(endpoint.endpointId))[0]!.attempts.length).toBe(2);
  expect(await outlivesDelivery(eventId)).toBe(true);
});

/** Whether the body of an event's only delivery is removed later than the delivery. */
async function outlivesDelivery(eventId: string): Promise<boolean> {
  const { webhookBodies, webhookDeliveries } = fixtures.gateway.services.store.collections;
  const [body] = await webhookBodies.find({ networkId: 'default', eventId }).hint('_id_').toArray();
  const [delivery] = await webhookDeliveries.find({ networkId: 'default', eventId }).hint('_id_').toArray();
  return body!.expiresAt > delivery!.expiresAt;
}

test('replays a period: delivered events, and events from before the endpoint existed', async () => {
  const from = new Date().toISOString();
  const before = await fixtures.post('before the endpoint');
  const { endpoint } = await fixtures.createEndpoint({ url: `${fixtures.receiver.url}/range` });
  await fixtures.mutate('disableWebhookEndpoint', { endpointId: endpoint.endpointId }, 'endpoint { enabled }');
  const during = await fixtures.post('while it was disabled');
  await fixtures.dispatched();
  const { endpointId } = endpoint;
  const range = { endpointId, from, until: new Date(Date.now() + 1_000).toISOString() };
  expect(await fixtures.mutate('replayWebhookEvents', range, 'count')).toMatchObject({ code: 'BAD_REQUEST' });
  await fixtures.mutate('enableWebhookEndpoint', { endpointId }, 'endpoint { enabled }');
  await vi.waitUntil(async () => (await fixtures.deliveries(endpointId, ', state: PENDING')).length === 0, {
    timeout: 30_000,
  });
  fixtures.receiver.received.length = 0;
  const expireSoon = { $set: { expiresAt: new Date(Date.now() + 60_000) } };
  await fixtures.gateway.services.store.collections.webhookBodies.updateMany({ networkId: 'default' }, expireSoon);
  const { count, next } = await fixtures.mutate('replayWebhookEvents', range, 'count next');
  expect([count, next]).toEqual([2, null]);
  await fixtures.arrived(2);
  const ids = fixtures.receiver.received.map(({ body }) => JSON.parse(body).data.posts[0].postId);
  expect(ids.sort()).toEqual([before, during].sort());
  const eventIds = (await fixtures.deliveries(endpointId)).map(({ eventId }) => eventId);
  expect(await Promise.all(eventIds.map(outlivesDelivery))).toEqual([true, true]);
});

test('does not replay deliveries that are being attempted', async () => {
  const from = new Date().toISOString();
  const { endpoint } = await fixtures.createEndpoint();
  const { endpointId } = endpoint;
  let end = () => undefined as unknown;
  fixtures.receiver.answer((_, response) => {
    end = () => response.end('{}');
  });
  await fixtures.post('on its way');
  await fixtures.arrived(1);
  const range = { endpointId, from, until: new Date(Date.now() + 1_000).toISOString() };
  expect(await fixtures.mutate('replayWebhookEvents', range, 'count')).toEqual({ count: 0 });
  end();
  await vi.waitUntil(async () => (await fixtures.deliveries(endpointId))[0]!.state === 'DELIVERED', {
    timeout: 30_000,
  });
  expect(fixtures.receiver.received.length).toBe(1);
});

test('sends nothing for a network with disabled webhooks', async () => {
  await fixtures.createEndpoint();
  expect(await fixtures.mutate('switchWebhooks', { enabled: false }, 'enabled')).toEqual({ enabled: false });
  await fixtures.post('while disabled');
  await fixtures.dispatched();
  expect((await fixtures.gateway.rest('/api/v3/network-settings/webhook')).body).toEqual({ enabled: false });
  const on = await fixtures.gateway.rest('/api/v3/network-settings/webhook', {
    as: 'admin',
    method: 'PUT',
    body: { webhookEnabled: true },
  });
  expect([on.status, on.body]).toEqual([200, { enabled: true }]);
  await fixtures.post('while enabled');
  await fixtures.arrived(1);
  expect(fixtures.receiver.received.map(({ body }) => JSON.parse(body).data.posts[0].data.text)).toEqual([
    'while enabled',
  ]);
});

test('the backlog holds the waiting deliveries of an endpoint until it is deleted', async () => {
  const backlog = async () =>
    (await fixtures.gateway.graphql<Any>('{ serverStatus { webhookBacklog } }', { as: 'admin' })).data.serverStatus
      .webhookBacklog;
  fixtures.receiver.answer(status(503, { 'retry-after': '3600' }));
  const { endpointId } = (await fixtures.createEndpoint()).endpoint;
  await fixtures.post('never accepted');
  await fixtures.arrived(1);
  await vi.waitUntil(async () => (await fixtures.deliveries(endpointId))[0]!.attemptCount === 1, { timeout: 30_000 });
  expect(await backlog()).toBe(1);
  await fixtures.mutate('deleteWebhookEndpoint', { endpointId }, 'endpoint { endpointId }');
  expect(await backlog()).toBe(0);
});
