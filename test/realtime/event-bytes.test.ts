import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ANSWER_LIMITS } from '../../src/limits/limits.ts';
import { sseStream } from '../support/sse.ts';
import { openWebhookFixtures, type WebhookFixtures } from '../webhooks/webhook-fixtures.ts';

const limits = { ...ANSWER_LIMITS };
/** Fewer characters than the limit, and more bytes. */
const TEXT = 'é'.repeat(12_000);
const REFUSED = expect.stringContaining('Limit exceeded (eventBytes)');

let stage: WebhookFixtures;
beforeAll(async () => {
  stage = await openWebhookFixtures();
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

const poll = async (after = '') =>
  fetch(`${stage.gateway.url}/realtime/post.created${after && `?wait=10&after=${after}`}`, { headers: await bearer() });
const cursorOf = ({ headers }: Response) => headers.get('event-cursor')!;

test('passes over an event beyond the limit when polled for the newest, and answers 413 after a cursor', async () => {
  await stage.post('before');
  const before = await poll();
  expect([before.status, await before.text()]).toEqual([200, expect.stringContaining('before')]);
  await stage.post(TEXT);
  const refused = await poll(cursorOf(before));
  const body = (await refused.json()) as { message: string };
  expect([refused.status, body.message]).toEqual([413, REFUSED]);
  const newest = await poll();
  expect([newest.status, await newest.text()]).toEqual([200, expect.stringContaining('before')]);
  expect(cursorOf(newest)).toBe(cursorOf(before));
  await stage.post('next');
  expect(await (await poll(cursorOf(refused))).text()).toContain('next');
});

test('replaces an event beyond the limit by an error in a REST stream, and sends the next one', async () => {
  const response = await fetch(`${stage.gateway.url}/realtime/post.created`, {
    headers: { ...(await bearer()), accept: 'text/event-stream' },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value!;
  await stage.post(TEXT);
  await stage.post('the one after it');
  while (!text.includes('the one after it')) {
    const { value, done } = await reader.read();
    expect([done, text]).toEqual([false, text]);
    text += value;
  }
  await reader.cancel();
  const [refused, id] = /\n\nid: (82[0-9A-F]+)\nevent: error\ndata: (.*)\n\n/.exec(text) ?? [];
  expect(refused).toContain('Limit exceeded (eventBytes)');
  expect(await (await poll(id)).text()).toContain('the one after it');
});

test('fails the delivery of a webhook whose body exceeds the limit without a retry, and not its endpoint', async () => {
  const { endpoint } = await stage.createEndpoint();
  await stage.post(TEXT);
  const failed = async () => (await stage.deliveries(endpoint.endpointId))[0];
  await expect.poll(async () => (await failed())?.attemptCount, { timeout: 30_000 }).toBe(1);
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
