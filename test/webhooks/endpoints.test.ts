import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { anEvent } from './work-bench.ts';

let gateway: TestGateway;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await startTestGateway({ WEBHOOK_DELIVERY: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_LIMIT: '4' });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  await gateway.services.store.collections.webhookEndpoints.deleteMany({ networkId: 'default' });
  receiver = await startReceiver();
  return () => receiver.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Any = any;

const FIELDS =
  'endpointId url events method hasAccessToken payload selection enabled disabledReason failingSince secrets { createdAt endsAt }';

async function mutate(name: string, input: object, select: string, as = 'admin'): Promise<Any> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const { data, errors } = await gateway.graphql<Any>(
    `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) {
      ... on ${type}Payload { ${select} } ... on OperationError { code message path detail } } }`,
    { as, variables: { input } },
  );
  expect(errors).toBeUndefined();
  return data.answer;
}

const make = (input: object = {}) =>
  mutate(
    'createWebhookEndpoint',
    { url: receiver.url, events: ['v3.post.didCreate'], ...input },
    `secret endpoint { ${FIELDS} }`,
  );

const post = async (text: string): Promise<string> =>
  (
    await mutate(
      'createPost',
      { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } },
      'post { postId }',
      'alice',
    )
  ).post.postId;

const arrived = (count: number) =>
  vi.waitUntil(() => receiver.received.length >= count, { timeout: 15_000, interval: 20 });

const deliveries = async (endpointId: string, state = ''): Promise<Any[]> => {
  const { data } = await gateway.graphql<Any>(
    `{ webhookEndpoint(endpointId: "${endpointId}") { deliveries(first: 100${state}) { edges { node {
      deliveryId webhookId event eventId state body attemptCount nextAttemptAt deliveredAt attempts { status error response durationMs } } } } } }`,
    { as: 'admin' },
  );
  return data.webhookEndpoint.deliveries.edges.map(({ node }: Any) => node);
};

test('a post reaches the endpoint signed, as the pull door tells it', async () => {
  const { secret, endpoint } = await make();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const postId = await post('hello webhooks');
  await arrived(1);
  const [one] = receiver.received;
  const body = new Webhook(secret).verify(one!.body, one!.headers) as Any;
  expect(body).toMatchObject({ event: 'post.didCreate', data: { posts: [{ postId }] } });
  const pulled = await fetch(`${gateway.url}/webhook/v3.post.didCreate`, {
    headers: { 'x-server-key': gateway.keys.SERVER_KEY },
  });
  expect(await pulled.text()).toBe(one!.body);
  await vi.waitUntil(async () => (await deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED');
  expect(await deliveries(endpoint.endpointId)).toEqual([
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
  await make({ selection });
  const postId = await post('selected');
  await arrived(1);
  expect(JSON.parse(receiver.received[0]!.body)).toEqual({
    data: {
      postCreated: {
        type: 'POST_CREATED',
        path: expect.stringContaining(`/post/${postId}`),
        post: { postId, author: { displayName: 'Alice Moor' } },
      },
    },
  });
});

test.each([
  ['not valid', 'subscription { postCreated { nothing } }', 'Cannot query field "nothing" on type "PostEvent".'],
  ['no GraphQL', 'subscription {', 'Syntax Error: Expected Name, found <EOF>.'],
  ['a query', '{ viewer { userId } }', 'Only subscriptions select bodies.'],
  ['with variables', 'subscription ($a: String) { postCreated(topic: $a) { id } }', 'A selection has no variables.'],
  [
    'with arguments',
    'subscription { postCreated(topic: "#") { id } }',
    'postCreated: a selection has no arguments here.',
  ],
  [
    'of other events',
    'subscription { postDeleted { id } }',
    'no subscription for post.created: ask for postCreated or events',
  ],
])('a selection that is %s is refused when it is saved', async (_, selection, problem) => {
  const refused = await make({ selection });
  expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['selection'] });
  expect(refused.detail).toContain(`selection: ${problem}`);
});

test('several subscriptions of one document serve several events; `events` serves the others', async () => {
  const selection =
    'subscription A { postCreated { post { postId } } } subscription B { events { type ... on CommentEvent { comment { commentId } } } }';
  const { endpoint } = await make({ events: ['v3.post.didCreate', 'v3.comment.didCreate'], selection });
  expect(endpoint.payload).toBe('SELECTION');
  const postId = await post('two subscriptions');
  await gateway.services.store.collections.events.insertOne(
    anEvent({ type: 'comment.created', data: { commentId: 'tomatoes-carol' } }),
  );
  await arrived(2);
  const bodies = receiver.received.map(({ body }) => JSON.parse(body).data);
  expect(bodies).toContainEqual({ postCreated: { post: { postId } } });
  expect(bodies).toContainEqual({
    events: { type: 'COMMENT_CREATED', comment: { commentId: 'tomatoes-carol' } },
  });
  // The events are checked against the document that is there, and the other way round.
  const { endpointId } = endpoint;
  const refused = await mutate(
    'updateWebhookEndpoint',
    { endpointId, selection: 'subscription { postCreated { id } }' },
    'endpoint { url }',
  );
  expect(refused.detail).toEqual(['selection: no subscription for comment.created: ask for commentCreated or events']);
  const documented = await mutate('updateWebhookEndpoint', { endpointId, selection: null }, `endpoint { ${FIELDS} }`);
  expect(documented.endpoint).toMatchObject({ payload: 'DOCUMENTED', selection: null });
});

test.each([
  ['http://127.0.0.1:80/', true],
  ['https://10.0.0.1/', true],
  ['http://[::ffff:192.168.0.1]/', true],
  ['http://2130706433/', true],
  ['http://localhost:4000/graphql', true],
  ['file:///etc/passwd', false],
  ['https://user:secret@example.com/', false],
])('%s is refused when it is saved', async (url, isAddress) => {
  const { services } = gateway;
  const { config } = services;
  config.WEBHOOK_ALLOW_PRIVATE = false;
  try {
    const refused = await make({ url });
    expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['url'] });
    if (isAddress) expect(refused.detail).toEqual(['url: The host is not a public address.']);
  } finally {
    config.WEBHOOK_ALLOW_PRIVATE = true;
  }
});

test('an unknown event, a token that no header holds and one endpoint too many are refused', async () => {
  expect(await make({ events: ['v3.post.didExplode'] })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await make({ events: [] })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await make({ accessToken: 'a\r\nb' })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  const made = await Promise.all(Array.from({ length: 8 }, () => make()));
  const refused = made.filter(({ code }) => code !== undefined);
  expect(refused.map(({ code, message }) => [code, message])).toEqual(
    Array(4).fill(['BAD_REQUEST', 'At most 4 webhook endpoints.']),
  );
});

test('a new secret is told once; the old one signs beside it until its time is over', async () => {
  const { secret: first, endpoint } = await make();
  const { endpointId } = endpoint;
  const key = { endpointId, clientMutationId: `rotate ${endpointId}` };
  const rotate = () => mutate('rotateWebhookSecret', key, `secret endpoint { ${FIELDS} }`);
  const { secret: second, endpoint: rotated } = await rotate();
  expect(rotated.secrets).toEqual([
    { createdAt: expect.any(String), endsAt: null },
    { createdAt: expect.any(String), endsAt: expect.any(String) },
  ]);
  // Sent again it is not made again, and what was kept of the answer does not hold the secret.
  const again = await rotate();
  expect([again.secret, again.endpoint]).toEqual([null, rotated]);
  await post('two secrets');
  await arrived(1);
  const [one] = receiver.received;
  for (const secret of [first, second]) expect(new Webhook(secret).verify(one!.body, one!.headers)).toBeTruthy();
  await mutate('rotateWebhookSecret', { endpointId, keepHours: 0 }, 'secret');
  await post('one secret');
  await arrived(2);
  for (const secret of [first, second])
    expect(() => new Webhook(secret).verify(receiver.received[1]!.body, receiver.received[1]!.headers)).toThrow();
});

test('a test ping arrives once, also where it fails', async () => {
  const { secret, endpoint } = await make();
  receiver.answer(status(500));
  const { delivery } = await mutate(
    'sendTestPing',
    { endpointId: endpoint.endpointId },
    'delivery { deliveryId state event }',
  );
  expect(delivery).toMatchObject({ state: 'PENDING', event: 'webhook.ping' });
  await arrived(1);
  const [one] = receiver.received;
  expect(new Webhook(secret).verify(one!.body, one!.headers)).toMatchObject({ event: 'webhook.ping' });
  await vi.waitUntil(async () => (await deliveries(endpoint.endpointId, ', state: FAILED')).length === 1);
  expect(
    (
      await gateway.graphql<Any>(`{ webhookEndpoint(endpointId: "${endpoint.endpointId}") { failingSince } }`, {
        as: 'admin',
      })
    ).data,
  ).toEqual({ webhookEndpoint: { failingSince: null } });
});

test('one delivery is replayed with the same bytes under the same id, and keeps the record of its attempts', async () => {
  const { endpoint } = await make();
  await post('once more');
  await arrived(1);
  await vi.waitUntil(async () => (await deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED');
  const [{ deliveryId }] = (await deliveries(endpoint.endpointId)) as [Any];
  const replayed = await mutate(
    'replayWebhookDelivery',
    { deliveryId },
    'delivery { state attemptCount nextAttemptAt }',
  );
  expect(replayed.delivery).toMatchObject({ state: 'PENDING', attemptCount: 0, nextAttemptAt: expect.any(String) });
  await arrived(2);
  const [first, second] = receiver.received;
  expect([second!.body, second!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']]);
  await vi.waitUntil(async () => (await deliveries(endpoint.endpointId))[0]!.state === 'DELIVERED');
  expect((await deliveries(endpoint.endpointId))[0]!.attempts.length).toBe(2);
});

test('a stretch of time is replayed: what was delivered, and what happened while the endpoint was not there', async () => {
  const from = new Date().toISOString();
  const before = await post('before the endpoint');
  const { endpoint } = await make({ url: `${receiver.url}/range` });
  await mutate('disableWebhookEndpoint', { endpointId: endpoint.endpointId }, 'endpoint { enabled }');
  const during = await post('while it was disabled');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { endpointId } = endpoint;
  const range = { endpointId, from, until: new Date(Date.now() + 1_000).toISOString() };
  expect(await mutate('replayWebhookEvents', range, 'count')).toMatchObject({ code: 'BAD_REQUEST' });
  await mutate('enableWebhookEndpoint', { endpointId }, 'endpoint { enabled }');
  await vi.waitUntil(async () => (await deliveries(endpointId, ', state: PENDING')).length === 0);
  receiver.received.length = 0;
  const { count, next } = await mutate('replayWebhookEvents', range, 'count next');
  expect([count, next]).toEqual([2, null]);
  await arrived(2);
  const ids = receiver.received.map(({ body }) => JSON.parse(body).data.posts[0].postId);
  expect(ids.sort()).toEqual([before, during].sort());
});

test('what was changed holds for what waits; an access token does not follow to another origin', async () => {
  const other = await startReceiver();
  const { endpoint } = await make({ accessToken: 'for-the-first' });
  const { endpointId } = endpoint;
  expect(endpoint.hasAccessToken).toBe(true);
  const samePlace = await mutate(
    'updateWebhookEndpoint',
    { endpointId, url: `${receiver.url}/deeper` },
    `endpoint { ${FIELDS} }`,
  );
  expect(samePlace.endpoint).toMatchObject({ hasAccessToken: true, url: `${receiver.url}/deeper` });
  const { endpoint: moved } = await mutate(
    'updateWebhookEndpoint',
    { endpointId, url: other.url, method: 'GET' },
    `endpoint { ${FIELDS} }`,
  );
  expect(moved).toMatchObject({ hasAccessToken: false, method: 'GET', events: ['v3.post.didCreate'] });
  await post('to the other one');
  await vi.waitUntil(() => other.received.length === 1, { timeout: 10_000 });
  expect(other.received[0]!.method).toBe('GET');
  expect(receiver.received).toEqual([]);
  const { endpoint: deleted } = await mutate('deleteWebhookEndpoint', { endpointId }, 'endpoint { endpointId }');
  expect(deleted.endpointId).toBe(endpointId);
  await post('to nobody');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(other.received.length).toBe(1);
  await other.close();
});

test('a network that switched its webhooks off sends none', async () => {
  await make();
  expect(await mutate('switchWebhooks', { enabled: false }, 'enabled')).toEqual({ enabled: false });
  await post('unheard');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await gateway.rest('/api/v3/network-settings/webhook')).body).toEqual({ enabled: false });
  const on = await gateway.rest('/api/v3/network-settings/webhook', {
    as: 'admin',
    method: 'PUT',
    body: { webhookEnabled: true },
  });
  expect([on.status, on.body]).toEqual([200, { enabled: true }]);
  await post('heard');
  await arrived(1);
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.posts[0].data.text)).toEqual(['heard']);
});

test('whoever does not manage webhooks finds none', async () => {
  const { endpoint } = await make();
  const { data } = await gateway.graphql<Any>(
    `{ webhookEndpoint(endpointId: "${endpoint.endpointId}") { url } webhookEndpoints { edges { node { url } } } }`,
  );
  expect(data).toEqual({ webhookEndpoint: null, webhookEndpoints: { edges: [] } });
  const input = { url: receiver.url, events: ['v3.post.didCreate'] };
  expect(await mutate('createWebhookEndpoint', input, 'secret', 'alice')).toMatchObject({ code: 'PERMISSION_DENIED' });
  const known = await mutate('rotateWebhookSecret', { endpointId: endpoint.endpointId }, 'secret', 'alice');
  const unknown = await mutate('rotateWebhookSecret', { endpointId: 'none' }, 'secret', 'alice');
  expect(known).toEqual(unknown);
});
