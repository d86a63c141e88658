import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSecret } from '../../src/webhooks/sign.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { anEvent, openWorkerHarness, type WorkerHarness } from './worker-harness.ts';

let harness: WorkerHarness;
let receiver: Receiver;
beforeAll(async () => {
  harness = await openWorkerHarness();
  receiver = await startReceiver();
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
});

async function received(given: Parameters<WorkerHarness['endpoint']>[0], type?: string): Promise<Received> {
  const endpoint = await harness.endpoint(given);
  await harness.deliver(endpoint, anEvent(type ? { type } : {}));
  await harness.worker.runDue();
  return receiver.received.at(-1)!;
}

const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers);

test('is verified by the library of Standard Webhooks, only with its secret, body, id and time', async () => {
  const key = newSecret();
  const one = await received({ url: receiver.url, secrets: [{ key, createdAt: harness.now(), endsAt: null }] });
  expect(verify(key, one)).toMatchObject({ event: 'post.created', data: { postId: 'p' } });
  const wrong = [
    () => verify(newSecret(), one),
    () => verify(key, { ...one, body: `${one.body} ` }),
    () => verify(key, { ...one, headers: { ...one.headers, 'webhook-id': 'msg_other' } }),
    () => verify(key, { ...one, headers: { ...one.headers, 'webhook-timestamp': '1700000000' } }),
  ];
  for (const attempt of wrong) expect(attempt).toThrow();
});

test('is valid with both secrets during a replacement, and not longer', async () => {
  const [older, newer] = [newSecret(), newSecret()];
  const endsAt = new Date(harness.now().getTime() + 60_000);
  const secrets = [
    { key: newer, createdAt: harness.now(), endsAt: null },
    { key: older, createdAt: harness.now(), endsAt },
  ];
  const during = await received({ url: receiver.url, secrets });
  expect(verify(newer, during)).toEqual(verify(older, during));
  harness.advance(60_000);
  const after = await received({ url: receiver.url, secrets });
  expect(verify(newer, after)).toBeTruthy();
  expect(() => verify(older, after)).toThrow();
});

test('includes the HMAC of the body with the newest secret for older receivers', async () => {
  const key = newSecret();
  const { headers, body } = await received({
    url: receiver.url,
    secrets: [{ key, createdAt: harness.now(), endsAt: null }],
  });
  expect(headers['x-amity-signature']).toBe(createHmac('sha256', key).update(body).digest('base64'));
});

test('sends content type, length and user agent, and no other headers', async () => {
  const { headers, method, body } = await received({ url: receiver.url, accessToken: 'the-token' });
  expect(method).toBe('POST');
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': expect.stringMatching(/^Colloquy-Webhooks\//),
    'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{24}$/),
  });
  expect(headers.authorization).toBeUndefined();
});

test.each(['mention-post.created', 'post.need-reviewing'])(
  '%s carries the access token, where there is one',
  async (type) => {
    const { headers } = await received({ url: receiver.url, accessToken: 'the-token' }, type);
    expect(headers.authorization).toBe('Bearer the-token');
    const without = await received({ url: receiver.url }, type);
    expect(without.headers.authorization).toBeUndefined();
  },
);

test('sends a body with GET to an endpoint that requires it', async () => {
  const { method, body } = await received({ url: receiver.url, method: 'GET' });
  expect([method, JSON.parse(body).event]).toEqual(['GET', 'post.created']);
});
