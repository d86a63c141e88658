import { request } from 'node:http';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConnections, type RawClient, rawClient, requestText } from '../support/raw-client.ts';
import { rawSocket } from '../support/raw-socket.ts';

const opened: RawClient[] = [];
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});
const open = async (gateway: TestGateway, from?: string) => {
  const client = await rawClient(gateway, from);
  opened.push(client);
  return client;
};
async function started(env: Record<string, string>): Promise<TestGateway> {
  const gateway = await startTestGateway({ LOG_LEVEL: 'silent', ...env });
  onTestFinished(() => gateway.close());
  return gateway;
}

test('limits an address to CONNECTIONS_PER_ADDRESS without affecting other addresses', async () => {
  const gateway = await started({ CONNECTIONS_PER_ADDRESS: '5' });
  for (let count = 0; count < 5; count += 1) await open(gateway, '127.0.3.1');
  await vi.waitUntil(async () => (await openConnections(gateway)) === 5, { timeout: 30_000 });
  const refused = await open(gateway, '127.0.3.1');
  const answer = refused.read();
  await refused.closed;
  expect(answer.text).toMatch(/^HTTP\/1\.1 429 /);
  expect(answer.text).toContain('At most 5 connections of one address (CONNECTIONS_PER_ADDRESS).');
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  opened.shift()!.socket.destroy();
  await vi.waitUntil(
    async () => {
      const next = await open(gateway, '127.0.3.1');
      const healthy = next.read();
      next.write(requestText('/healthz'));
      return vi.waitUntil(() => healthy.text !== '', { timeout: 30_000 }).then(() => healthy.text.includes('200 OK'));
    },
    { timeout: 30_000 },
  );
});

describe('a proxy listed in TRUST_PROXY', () => {
  const poll = (gateway: TestGateway, token: string, client: string) =>
    new Promise<number>((resolve, reject) => {
      const path = `/realtime/post.updated?after=${gateway.services.events.position}&wait=5`;
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': client };
      request(`${gateway.url}${path}`, { agent: false, headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
        .once('error', reject)
        .end();
    });

  test('counts the requests and WebSockets of its clients, not its own connections', async () => {
    const gateway = await started({ CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: '127.0.0.1' });
    const token = await gateway.tokenOf('alice');
    for (let count = 0; count < 10; count += 1) await open(gateway);
    const socket = await rawSocket(gateway.url, { headers: { 'x-forwarded-for': '203.0.113.1' } });
    const polls = Array.from({ length: 4 }, () => poll(gateway, token, '203.0.113.1'));
    expect(await Promise.race(polls)).toBe(429);
    expect((await fetch(`${gateway.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.2' } })).status).toBe(200);
    expect((await Promise.all(polls)).sort()).toEqual([204, 204, 429, 429]);
    socket.close();
  });
});

describe('pipelined requests on one connection', () => {
  test('are answered in order', async () => {
    const gateway = await started({});
    const client = await open(gateway);
    const answers = client.read();
    const bodyOf = (n: number) => JSON.stringify({ query: `query Q${n} { field${n} }` });
    const headers = { 'Content-Type': 'application/json' };
    const texts = Array.from({ length: 40 }, (_, n) =>
      requestText('/graphql', { method: 'POST', headers, body: bodyOf(n) }),
    );
    client.write(texts.join(''));
    await vi.waitUntil(() => answers.text.split('HTTP/1.1 ').length === 41, { timeout: 30_000 });
    const order = [...answers.text.matchAll(/Cannot query field \\"field(\d+)\\"/g)].map(([, n]) => Number(n));
    expect(order).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test('close the connection when there are too many', async () => {
    const gateway = await started({});
    const client = await open(gateway);
    client.read();
    const token = await gateway.tokenOf('alice');
    const path = `/realtime/post.updated?after=${gateway.services.events.position}&wait=30`;
    client.write(
      requestText(path, { headers: { Authorization: `Bearer ${token}` } }) + requestText('/healthz').repeat(200),
    );
    await client.closed;
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });
});
