import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { OK, startReceiver, status } from './receiver.ts';
import { type Any, FIELDS, openWebhookStage, type WebhookStage } from './webhook-stage.ts';
import { anEvent } from './work-bench.ts';

let stage: WebhookStage;
beforeAll(async () => {
  stage = await openWebhookStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.clear());

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
  const refused = await stage.make({ selection });
  expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['selection'] });
  expect(refused.detail).toContain(`selection: ${problem}`);
});

test('several subscriptions of one document serve several events; `events` serves the others', async () => {
  const selection =
    'subscription A { postCreated { post { postId } } } subscription B { events { type ... on CommentEvent { comment { commentId } } } }';
  const { endpoint } = await stage.make({ events: ['v3.post.didCreate', 'v3.comment.didCreate'], selection });
  expect(endpoint.payload).toBe('SELECTION');
  const postId = await stage.post('two subscriptions');
  await stage.gateway.services.store.collections.events.insertOne(
    anEvent({ type: 'comment.created', data: { commentId: 'tomatoes-carol' } }),
  );
  await stage.arrived(2);
  const bodies = stage.receiver.received.map(({ body }) => JSON.parse(body).data);
  expect(bodies).toContainEqual({ postCreated: { post: { postId } } });
  expect(bodies).toContainEqual({
    events: { type: 'COMMENT_CREATED', comment: { commentId: 'tomatoes-carol' } },
  });
  // The events are checked against the document that is there, and the other way round.
  const { endpointId } = endpoint;
  const refused = await stage.mutate(
    'updateWebhookEndpoint',
    { endpointId, selection: 'subscription { postCreated { id } }' },
    'endpoint { url }',
  );
  expect(refused.detail).toEqual(['selection: no subscription for comment.created: ask for commentCreated or events']);
  const documented = await stage.mutate(
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
])('%s is refused when it is saved', async (url, isAddress) => {
  const { services } = stage.gateway;
  const { config } = services;
  config.WEBHOOK_ALLOW_PRIVATE = false;
  try {
    const refused = await stage.make({ url });
    expect(refused).toMatchObject({ code: 'INVALID_PARAMETERS', path: ['url'] });
    if (isAddress) expect(refused.detail).toEqual(['url: The host is not a public address.']);
  } finally {
    config.WEBHOOK_ALLOW_PRIVATE = true;
  }
});

test('an unknown event, a token that no header holds and one endpoint too many are refused', async () => {
  expect(await stage.make({ events: ['v3.post.didExplode'] })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await stage.make({ events: [] })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await stage.make({ accessToken: 'a\r\nb' })).toMatchObject({ code: 'INVALID_PARAMETERS' });
  const made = await Promise.all(Array.from({ length: 8 }, () => stage.make()));
  const refused = made.filter(({ code }) => code !== undefined);
  expect(refused.map(({ code, message }) => [code, message])).toEqual(
    Array(4).fill(['BAD_REQUEST', 'At most 4 webhook endpoints.']),
  );
});

test('a new secret is told once; the old one signs beside it until its time is over', async () => {
  const { secret: first, endpoint } = await stage.make();
  const { endpointId } = endpoint;
  const key = { endpointId, clientMutationId: `rotate ${endpointId}` };
  const rotate = () => stage.mutate('rotateWebhookSecret', key, `secret endpoint { ${FIELDS} }`);
  const { secret: second, endpoint: rotated } = await rotate();
  expect(rotated.secrets).toEqual([
    { createdAt: expect.any(String), endsAt: null },
    { createdAt: expect.any(String), endsAt: expect.any(String) },
  ]);
  // Sent again it is not made again, and what was kept of the answer does not hold the secret.
  const again = await rotate();
  expect([again.secret, again.endpoint]).toEqual([null, rotated]);
  await stage.post('two secrets');
  await stage.arrived(1);
  const [one] = stage.receiver.received;
  for (const secret of [first, second]) expect(new Webhook(secret).verify(one!.body, one!.headers)).toBeTruthy();
  await stage.mutate('rotateWebhookSecret', { endpointId, keepHours: 0 }, 'secret');
  await stage.post('one secret');
  await stage.arrived(2);
  for (const secret of [first, second])
    expect(() =>
      new Webhook(secret).verify(stage.receiver.received[1]!.body, stage.receiver.received[1]!.headers),
    ).toThrow();
});

test('what was changed holds for what waits; an access token does not follow to another origin', async () => {
  const other = await startReceiver();
  const { endpoint } = await stage.make({ accessToken: 'for-the-first' });
  const { endpointId } = endpoint;
  expect(endpoint.hasAccessToken).toBe(true);
  const samePlace = await stage.mutate(
    'updateWebhookEndpoint',
    { endpointId, url: `${stage.receiver.url}/deeper` },
    `endpoint { ${FIELDS} }`,
  );
  expect(samePlace.endpoint).toMatchObject({ hasAccessToken: true, url: `${stage.receiver.url}/deeper` });
  const { endpoint: moved } = await stage.mutate(
    'updateWebhookEndpoint',
    { endpointId, url: other.url, method: 'GET' },
    `endpoint { ${FIELDS} }`,
  );
  expect(moved).toMatchObject({ hasAccessToken: false, method: 'GET', events: ['v3.post.didCreate'] });
  await stage.post('to the other one');
  await vi.waitUntil(() => other.received.length === 1, { timeout: 10_000 });
  expect(other.received[0]!.method).toBe('GET');
  expect(stage.receiver.received).toEqual([]);
  const { endpoint: deleted } = await stage.mutate('deleteWebhookEndpoint', { endpointId }, 'endpoint { endpointId }');
  expect(deleted.endpointId).toBe(endpointId);
  await stage.post('to nobody');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(other.received.length).toBe(1);
  await other.close();
});

test('an endpoint that moves does not answer for the receiver before; what waited goes out at once', async () => {
  const { endpoint } = await stage.make();
  const { endpointId } = endpoint;
  stage.receiver.answer(status(503, { 'retry-after': '3600' }));
  await stage.post('to a busy one');
  await stage.arrived(1);
  const { webhookEndpoints } = stage.gateway.services.store.collections;
  await vi.waitUntil(async () => (await webhookEndpoints.findOne({ networkId: 'default', endpointId }))?.failingSince, {
    timeout: 15_000,
  });
  await stage.post('while it is held');
  await vi.waitUntil(async () => (await stage.deliveries(endpointId)).length === 2, { timeout: 15_000 });
  expect(stage.receiver.received.length).toBe(1);
  stage.receiver.answer(OK);
  const url = `${stage.receiver.url}/elsewhere`;
  const moved = await stage.mutate('updateWebhookEndpoint', { endpointId, url }, `endpoint { ${FIELDS} }`);
  expect(moved.endpoint.failingSince).toBe(null);
  await stage.arrived(2);
  expect(stage.receiver.received[1]!.path).toBe('/hook/elsewhere');
});

test('a selection that does not cover what waits gives no body of something else: it is dropped', async () => {
  const { endpoint } = await stage.make({ selection: 'subscription A { postCreated { id } }' });
  const { endpointId } = endpoint;
  const { webhookEndpoints, events } = stage.gateway.services.store.collections;
  // As if the names had been narrowed while it waited.
  await webhookEndpoints.updateOne({ networkId: 'default', endpointId }, { $push: { events: 'v3.comment.didCreate' } });
  await events.insertOne(anEvent({ type: 'comment.created', data: { commentId: 'tomatoes-carol' } }));
  await vi.waitUntil(async () => (await stage.deliveries(endpointId, ', state: DROPPED')).length === 1, {
    timeout: 15_000,
  });
  expect(stage.receiver.received).toEqual([]);
});

test('whoever does not manage webhooks finds none', async () => {
  const { endpoint } = await stage.make();
  const { data } = await stage.gateway.graphql<Any>(
    `{ webhookEndpoint(endpointId: "${endpoint.endpointId}") { url } webhookEndpoints { edges { node { url } } } }`,
  );
  expect(data).toEqual({ webhookEndpoint: null, webhookEndpoints: { edges: [] } });
  const input = { url: stage.receiver.url, events: ['v3.post.didCreate'] };
  expect(await stage.mutate('createWebhookEndpoint', input, 'secret', 'alice')).toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  const known = await stage.mutate('rotateWebhookSecret', { endpointId: endpoint.endpointId }, 'secret', 'alice');
  const unknown = await stage.mutate('rotateWebhookSecret', { endpointId: 'none' }, 'secret', 'alice');
  expect(known).toEqual(unknown);
});
