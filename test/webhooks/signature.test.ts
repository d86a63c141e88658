import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSecret } from '../../src/webhooks/sign.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { anEvent, openWorkBench, type WorkBench } from './work-bench.ts';

let bench: WorkBench;
let receiver: Receiver;
beforeAll(async () => {
  bench = await openWorkBench();
  receiver = await startReceiver();
});
afterAll(async () => {
  await bench.close();
  await receiver.close();
});

async function received(given: Parameters<WorkBench['endpoint']>[0], type?: string): Promise<Received> {
  const endpoint = await bench.endpoint(given);
  await bench.deliver(endpoint, anEvent(type ? { type } : {}));
  await bench.worker.runDue();
  return receiver.received.at(-1)!;
}

const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers);

test('the library of Standard Webhooks takes a delivery, and only with its secret, body, id and time', async () => {
  const key = newSecret();
  const one = await received({ url: receiver.url, secrets: [{ key, createdAt: bench.now(), endsAt: null }] });
  expect(verify(key, one)).toMatchObject({ event: 'post.created', data: { postId: 'p' } });
  const wrong = [
    () => verify(newSecret(), one),
    () => verify(key, { ...one, body: `${one.body} ` }),
    () => verify(key, { ...one, headers: { ...one.headers, 'webhook-id': 'msg_other' } }),
    () => verify(key, { ...one, headers: { ...one.headers, 'webhook-timestamp': '1700000000' } }),
  ];
  for (const attempt of wrong) expect(attempt).toThrow();
});

test('while a secret is replaced both are valid, and the old one not a moment longer', async () => {
  const [older, newer] = [newSecret(), newSecret()];
  const endsAt = new Date(bench.now().getTime() + 60_000);
  const secrets = [
    { key: newer, createdAt: bench.now(), endsAt: null },
    { key: older, createdAt: bench.now(), endsAt },
  ];
  const during = await received({ url: receiver.url, secrets });
  expect(verify(newer, during)).toEqual(verify(older, during));
  bench.advance(60_000);
  const after = await received({ url: receiver.url, secrets });
  expect(verify(newer, after)).toBeTruthy();
  expect(() => verify(older, after)).toThrow();
});

test('older receivers find the HMAC of the body under the newest secret', async () => {
  const key = newSecret();
  const { headers, body } = await received({
    url: receiver.url,
    secrets: [{ key, createdAt: bench.now(), endsAt: null }],
  });
  expect(headers['x-amity-signature']).toBe(createHmac('sha256', key).update(body).digest('base64'));
});

test('a delivery says what it is: its type, its length, its sender, and no more', async () => {
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

test('an endpoint that asks for GET gets the body with it', async () => {
  const { method, body } = await received({ url: receiver.url, method: 'GET' });
  expect([method, JSON.parse(body).event]).toEqual(['GET', 'post.created']);
});
