import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { OK, startReceiver, status } from './receiver.ts';
import { type Any, FIELDS, openWebhookFixtures, type WebhookFixtures } from './webhook-fixtures.ts';
import { anEvent } from './worker-harness.ts';

let fixtures: WebhookFixtures;
beforeAll(async () => {
  fixtures = await openWebhookFixtures();
});
afterAll(() => fixtures.close());
beforeEach(() => fixtures.clear());

test.each([
  ['not valid', 'subscription { postCreated { nothing } }', 'Cannot query field "nothing" on type "PostEvent".'],
  ['no GraphQL', 'subscription {', 'Syntax Error: Expected Name, found <EOF>.'],
  ['a query', '{ viewer { userId } }', 'Every operation of a selection must be a subscription.'],
  [
    'with variables',
    'subscription ($a: String) { postCreated(topic: $a) { id } }',
    'A selection must not have variables.',
  ],
  [
    'with arguments',
    'subscription { postCreated(topic: "#") { id } }',
    'postCreated: a root field of a selection must not have arguments.',
  ],
  [
    'of other events',
    'subscription { postDeleted { id } }',
    'no subscription for post.created: select postCreated or events',
  ],
])('rejects a selection that is %s when it is saved', async (_, selection, problem) => {
  const refused = await fixtures.createEndpoint({ selection });
  expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['selection'] });
  expect(refused.detail).toContain(`selection: ${problem}`);
});

test('renders events by the subscriptions of a selection, and all others by `events`', async () => {
  const selection =
    'subscription A { postCreated { post { postId } } } subscription B { events { type ... on CommentEvent { comment { commentId } } } }';
  const { endpoint } = await fixtures.createEndpoint({
    events: ['v3.post.didCreate', 'v3.comment.didCreate'],
    selection,
  });
  expect(endpoint.payload).toBe('SELECTION');
  const postId = await fixtures.post('two subscriptions');
  await fixtures.gateway.services.store.collections.events.insertOne(
    anEvent({ type: 'comment.created', data: { commentId: 'tomatoes-carol' } }),
  );
  await fixtures.arrived(2);
  const bodies = fixtures.receiver.received.map(({ body }) => JSON.parse(body).data);
  expect(bodies).toContainEqual({ postCreated: { post: { postId } } });
  expect(bodies).toContainEqual({
    events: { type: 'COMMENT_CREATED', comment: { commentId: 'tomatoes-carol' } },
  });
  // A new selection is checked against the stored events, and new events against the stored selection.
  const { endpointId } = endpoint;
  const refused = await fixtures.mutate(
    'updateWebhookEndpoint',
    { endpointId, selection: 'subscription { postCreated { id } }' },
    'endpoint { url }',
  );
  expect(refused.detail).toEqual(['selection: no subscription for comment.created: select commentCreated or events']);
  const documented = await fixtures.mutate(
    'updateWebhookEndpoint',
    { endpointId, selection: null },
    `endpoint { ${FIELDS} }`,
  );
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
])('rejects %s when it is saved', async (url, isAddress) => {
  const { services } = fixtures.gateway;
  const { config } = services;
  config.WEBHOOK_ALLOW_PRIVATE = false;
  try {
    const refused = await fixtures.createEndpoint({ url });
    expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['url'] });
    if (isAddress)
      expect(refused.detail).toEqual(['url: The host is not a public address. WEBHOOK_ALLOW_PRIVATE=true allows it.']);
  } finally {
    config.WEBHOOK_ALLOW_PRIVATE = true;
  }
});

test('rejects an unknown event, a token that no header can carry and an endpoint beyond the limit', async () => {
  expect(await fixtures.createEndpoint({ events: ['v3.post.didExplode'] })).toMatchObject({
    code: 'INVALID_PARAMETERS',
  });
  expect(await fixtures.createEndpoint({ events: [] })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await fixtures.createEndpoint({ accessToken: 'a\r\nb' })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  const created = await Promise.all(Array.from({ length: 8 }, () => fixtures.createEndpoint()));
  const refused = created.filter(({ code }) => code !== undefined);
  expect(refused.map(({ code, message }) => [code, message])).toEqual(
    Array(4).fill(['BAD_REQUEST', 'At most 4 webhook endpoints.']),
  );
});

test('shows a new secret once, and signs with the old one until it expires', async () => {
  const { secret: first, endpoint } = await fixtures.createEndpoint();
  const { endpointId } = endpoint;
  const key = { endpointId, clientMutationId: `rotate ${endpointId}` };
  const rotate = () => fixtures.mutate('rotateWebhookSecret', key, `secret endpoint { ${FIELDS} }`);
  const { secret: second, endpoint: rotated } = await rotate();
  expect(rotated.secrets).toEqual([
    { createdAt: expect.any(String), endsAt: null },
    { createdAt: expect.any(String), endsAt: expect.any(String) },
  ]);
  // A repeated call does not rotate the secret again, and its stored answer does not contain the secret.
  const again = await rotate();
  expect([again.secret, again.endpoint]).toEqual([null, rotated]);
  await fixtures.post('two secrets');
  await fixtures.arrived(1);
  const [one] = fixtures.receiver.received;
  for (const secret of [first, second]) expect(new Webhook(secret).verify(one!.body, one!.headers)).toBeTruthy();
  await fixtures.mutate('rotateWebhookSecret', { endpointId, keepHours: 0 }, 'secret');
  await fixtures.post('one secret');
  await fixtures.arrived(2);
  for (const secret of [first, second])
    expect(() =>
      new Webhook(secret).verify(fixtures.receiver.received[1]!.body, fixtures.receiver.received[1]!.headers),
    ).toThrow();
});

test('applies changes to waiting deliveries, and sends no access token to another origin', async () => {
  const other = await startReceiver();
  const { endpoint } = await fixtures.createEndpoint({ accessToken: 'for-the-first' });
  const { endpointId } = endpoint;
  expect(endpoint.hasAccessToken).toBe(true);
  const sameOrigin = await fixtures.mutate(
    'updateWebhookEndpoint',
    { endpointId, url: `${fixtures.receiver.url}/deeper` },
    `endpoint { ${FIELDS} }`,
  );
  expect(sameOrigin.endpoint).toMatchObject({ hasAccessToken: true, url: `${fixtures.receiver.url}/deeper` });
  const { endpoint: moved } = await fixtures.mutate(
    'updateWebhookEndpoint',
    { endpointId, url: other.url, method: 'GET' },
    `endpoint { ${FIELDS} }`,
  );
  expect(moved).toMatchObject({ hasAccessToken: false, method: 'GET', events: ['v3.post.didCreate'] });
  await fixtures.post('to the other one');
  await vi.waitUntil(() => other.received.length === 1, { timeout: 30_000 });
  expect(other.received[0]!.method).toBe('GET');
  expect(fixtures.receiver.received).toEqual([]);
  const { endpoint: deleted } = await fixtures.mutate(
    'deleteWebhookEndpoint',
    { endpointId },
    'endpoint { endpointId }',
  );
  expect(deleted.endpointId).toBe(endpointId);
  await fixtures.post('without endpoints');
  await fixtures.dispatched();
  expect(other.received.length).toBe(1);
  await other.close();
});

test('resets the failures of an endpoint with a new URL, and sends waiting deliveries immediately', async () => {
  const { endpoint } = await fixtures.createEndpoint();
  const { endpointId } = endpoint;
  fixtures.receiver.answer(status(503, { 'retry-after': '3600' }));
  await fixtures.post('to a busy one');
  await fixtures.arrived(1);
  const { webhookEndpoints } = fixtures.gateway.services.store.collections;
  await vi.waitUntil(async () => (await webhookEndpoints.findOne({ networkId: 'default', endpointId }))?.failingSince, {
    timeout: 30_000,
  });
  await fixtures.post('during the pause');
  await vi.waitUntil(async () => (await fixtures.deliveries(endpointId)).length === 2, { timeout: 30_000 });
  expect(fixtures.receiver.received.length).toBe(1);
  fixtures.receiver.answer(OK);
  const url = `${fixtures.receiver.url}/elsewhere`;
  const moved = await fixtures.mutate('updateWebhookEndpoint', { endpointId, url }, `endpoint { ${FIELDS} }`);
  expect(moved.endpoint.failingSince).toBe(null);
  await fixtures.arrived(2);
  expect(fixtures.receiver.received[1]!.path).toBe('/hook/elsewhere');
});

test('drops a waiting delivery that a new selection does not cover', async () => {
  const { endpoint } = await fixtures.createEndpoint({ selection: 'subscription A { postCreated { id } }' });
  const { endpointId } = endpoint;
  const { webhookEndpoints, events } = fixtures.gateway.services.store.collections;
  // As if `events` had been reduced while the delivery waited.
  await webhookEndpoints.updateOne({ networkId: 'default', endpointId }, { $push: { events: 'v3.comment.didCreate' } });
  await events.insertOne(anEvent({ type: 'comment.created', data: { commentId: 'tomatoes-carol' } }));
  await vi.waitUntil(async () => (await fixtures.deliveries(endpointId, ', state: DROPPED')).length === 1, {
    timeout: 30_000,
  });
  expect(fixtures.receiver.received).toEqual([]);
});

test('shows webhooks only to users who manage them', async () => {
  const { endpoint } = await fixtures.createEndpoint();
  const { data } = await fixtures.gateway.graphql<Any>(
    `{ webhookEndpoint(endpointId: "${endpoint.endpointId}") { url } webhookEndpoints { edges { node { url } } } }`,
  );
  expect(data).toEqual({ webhookEndpoint: null, webhookEndpoints: { edges: [] } });
  const input = { url: fixtures.receiver.url, events: ['v3.post.didCreate'] };
  expect(await fixtures.mutate('createWebhookEndpoint', input, 'secret', 'alice')).toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  const known = await fixtures.mutate('rotateWebhookSecret', { endpointId: endpoint.endpointId }, 'secret', 'alice');
  const unknown = await fixtures.mutate('rotateWebhookSecret', { endpointId: 'none' }, 'secret', 'alice');
  expect(known).toEqual(unknown);
});
