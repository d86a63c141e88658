import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { status } from './receiver.ts';
import { type Any, openWebhookStage, type WebhookStage } from './webhook-stage.ts';

let stage: WebhookStage;
beforeAll(async () => {
  stage = await openWebhookStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.clear());

test('a post reaches the endpoint signed, as the pull door tells it', async () => {
  const { secret, endpoint } = await stage.make();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const postId = await stage.post('hello webhooks');
  await stage.arrived(1);
  const [one] = stage.receiver.received;
  const body = new Webhook(secret).verify(one!.body, one!.headers) as Any;
  expect(body).toMatchObject({ event: 'post.didCreate', data: { posts: [{ postId }] } });
  const pulled = await fetch(`${stage.gateway.url}/webhook/v3.post.didCreate`, {
    headers: { 'x-server-key': stage.gateway.keys.SERVER_KEY },
  });
  expect(await pulled.text()).toBe(one!.body);
  await vi.waitUntil(async () => (await stage.deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED', {
    timeout: 15_000,
  });
  expect(await stage.deliveries(endpoint.endpointId)).toEqual([
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

test('an endpoint with a document of its own gets what a subscriber would', async () => {
  const selection = 'subscription { postCreated { type path post { postId author { displayName } } } }';
  await stage.make({ selection });
  const postId = await stage.post('selected');
  await stage.arrived(1);
  expect(JSON.parse(stage.receiver.received[0]!.body)).toEqual({
    data: {
      postCreated: {
        type: 'POST_CREATED',
        path: expect.stringContaining(`/post/${postId}`),
        post: { postId, author: { displayName: 'Alice Moor' } },
      },
    },
  });
});

test('a test ping arrives once, also where it fails', async () => {
  const { secret, endpoint } = await stage.make();
  stage.receiver.answer(status(500));
  const { delivery } = await stage.mutate(
    'sendTestPing',
    { endpointId: endpoint.endpointId },
    'delivery { deliveryId state event }',
  );
  expect(delivery).toMatchObject({ state: 'PENDING', event: 'webhook.ping' });
  await stage.arrived(1);
  const [one] = stage.receiver.received;
  expect(new Webhook(secret).verify(one!.body, one!.headers)).toMatchObject({ event: 'webhook.ping' });
  await vi.waitUntil(async () => (await stage.deliveries(endpoint.endpointId, ', state: FAILED')).length === 1, {
    timeout: 15_000,
  });
  expect(
    (
      await stage.gateway.graphql<Any>(`{ webhookEndpoint(endpointId: "${endpoint.endpointId}") { failingSince } }`, {
        as: 'admin',
      })
    ).data,
  ).toEqual({ webhookEndpoint: { failingSince: null } });
});

test('one delivery is replayed with the same bytes under the same id, and keeps the record of its attempts', async () => {
  const { endpoint } = await stage.make();
  await stage.post('once more');
  await stage.arrived(1);
  await vi.waitUntil(async () => (await stage.deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED', {
    timeout: 15_000,
  });
  const [{ deliveryId }] = (await stage.deliveries(endpoint.endpointId)) as [Any];
  const replayed = await stage.mutate(
    'replayWebhookDelivery',
    { deliveryId },
    'delivery { state attemptCount nextAttemptAt }',
  );
  expect(replayed.delivery).toMatchObject({ state: 'PENDING', attemptCount: 0, nextAttemptAt: expect.any(String) });
  await stage.arrived(2);
  const [first, second] = stage.receiver.received;
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
  await vi.waitUntil(async () => (await stage.deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED', {
    timeout: 15_000,
  });
  expect((await stage.deliveries(endpoint.endpointId))[0]!.attempts.length).toBe(2);
});

test('a stretch of time is replayed: what was delivered, and what happened while the endpoint was not there', async () => {
  const from = new Date().toISOString();
  const before = await stage.post('before the endpoint');
  const { endpoint } = await stage.make({ url: `${stage.receiver.url}/range` });
  await stage.mutate('disableWebhookEndpoint', { endpointId: endpoint.endpointId }, 'endpoint { enabled }');
  const during = await stage.post('while it was disabled');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { endpointId } = endpoint;
  const range = { endpointId, from, until: new Date(Date.now() + 1_000).toISOString() };
  expect(await stage.mutate('replayWebhookEvents', range, 'count')).toMatchObject({ code: 'BAD_REQUEST' });
  await stage.mutate('enableWebhookEndpoint', { endpointId }, 'endpoint { enabled }');
  await vi.waitUntil(async () => (await stage.deliveries(endpointId, ', state: PENDING')).length === 0, {
    timeout: 15_000,
  });
  stage.receiver.received.length = 0;
  const { count, next } = await stage.mutate('replayWebhookEvents', range, 'count next');
  expect([count, next]).toEqual([2, null]);
  await stage.arrived(2);
  const ids = stage.receiver.received.map(({ body }) => JSON.parse(body).data.posts[0].postId);
  expect(ids.sort()).toEqual([before, during].sort());
});

test('a stretch of time that is replayed leaves alone what is being tried right now', async () => {
  const from = new Date().toISOString();
  const { endpoint } = await stage.make();
  const { endpointId } = endpoint;
  let end = () => undefined as unknown;
  stage.receiver.answer((_, response) => {
    end = () => response.end('{}');
  });
  await stage.post('on its way');
  await stage.arrived(1);
  const range = { endpointId, from, until: new Date(Date.now() + 1_000).toISOString() };
  expect(await stage.mutate('replayWebhookEvents', range, 'count')).toEqual({ count: 0 });
  end();
  await vi.waitUntil(async () => (await stage.deliveries(endpointId))[0]!.state === 'DELIVERED', { timeout: 15_000 });
  expect(stage.receiver.received.length).toBe(1);
});

test('a network that switched its webhooks off sends none', async () => {
  await stage.make();
  expect(await stage.mutate('switchWebhooks', { enabled: false }, 'enabled')).toEqual({ enabled: false });
  await stage.post('unheard');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await stage.gateway.rest('/api/v3/network-settings/webhook')).body).toEqual({ enabled: false });
  const on = await stage.gateway.rest('/api/v3/network-settings/webhook', {
    as: 'admin',
    method: 'PUT',
    body: { webhookEnabled: true },
  });
  expect([on.status, on.body]).toEqual([200, { enabled: true }]);
  await stage.post('heard');
  await stage.arrived(1);
  expect(stage.receiver.received.map(({ body }) => JSON.parse(body).data.posts[0].data.text)).toEqual(['heard']);
});
