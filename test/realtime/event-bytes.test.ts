import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ANSWER_LIMITS } from '../../src/limits/limits.ts';
import { sseStream } from '../support/sse.ts';
import { openWebhookStage, type WebhookStage } from '../webhooks/webhook-stage.ts';

const limits = { ...ANSWER_LIMITS };
/** Fewer characters than the limit, and more bytes. */
const TEXT = 'é'.repeat(12_000);
const REFUSED = expect.stringContaining('Limit exceeded (eventBytes)');

let stage: WebhookStage;
beforeAll(async () => {
  stage = await openWebhookStage();
  Object.assign(ANSWER_LIMITS, { eventBytes: 20_000 });
});
afterEach(() => stage.clear());
afterAll(async () => {
  Object.assign(ANSWER_LIMITS, limits);
  await stage.close();
});

const bearer = async () => ({ authorization: `Bearer ${await stage.gateway.tokenOf('alice')}` });

test('counts the bytes of an event, not its characters', async () => {
  const query = 'subscription { postCreated { post { data { text } } } }';
  const stream = await sseStream(stage.gateway.url, { query }, { token: await stage.gateway.tokenOf('alice') });
  await stage.post(TEXT);
  const [result] = await stream.until(1);
  stream.stop();
  expect(result).toMatchObject({ data: null, errors: [{ message: REFUSED, extensions: { code: 'TOO_LARGE' } }] });
});

test('answers a poll for an event beyond the limit with 413 and the cursor after it', async () => {
  await stage.post(TEXT);
  const response = await fetch(`${stage.gateway.url}/realtime/post.created`, { headers: await bearer() });
  const body = (await response.json()) as { message: string };
  expect([response.status, body.message]).toEqual([413, REFUSED]);
  expect(response.headers.get('event-cursor')).toBeTruthy();
});

test('fails the delivery of a webhook whose body exceeds the limit without a retry, and not its endpoint', async () => {
  const { endpoint } = await stage.make();
  await stage.post(TEXT);
  const failed = async () => (await stage.deliveries(endpoint.endpointId))[0];
  await expect.poll(async () => (await failed())?.attemptCount, { timeout: 15_000 }).toBe(1);
  expect(await failed()).toMatchObject({
    state: 'FAILED',
    nextAttemptAt: null,
    attempts: [{ status: null, error: REFUSED, response: null }],
  });
  await stage.post('short');
  await stage.arrived(1);
  const { data } = await stage.gateway.graphql<{ webhookEndpoint: unknown }>(
    `{ webhookEndpoint(endpointId: "${endpoint.endpointId}") { enabled failingSince } }`,
    { as: 'admin' },
  );
  expect(data.webhookEndpoint).toEqual({ enabled: true, failingSince: null });
  expect(stage.receiver.received.map(({ body }) => body)).toEqual([expect.stringContaining('short')]);
});
