import { request } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConnections, type RawClient, rawClient, requestText } from '../support/raw-client.ts';

const opened: RawClient[] = [];
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});
async function started(env: Record<string, string>): Promise<TestGateway> {
  const gateway = await startTestGateway({ LOG_LEVEL: 'silent', ...env });
  onTestFinished(() => gateway.close());
  return gateway;
}
const open = async (gateway: TestGateway) => {
  const client = await rawClient(gateway);
  opened.push(client);
  return client;
};

/** Sends a request as a trusted proxy does for a client, and returns the status. */
const statusFor = (gateway: TestGateway, path: string, client: string, headers = {}) =>
  new Promise<number>((resolve, reject) => {
    request(
      `${gateway.url}${path}`,
      { agent: false, headers: { ...headers, 'x-forwarded-for': client } },
      (response) => {
        response.resume();
        resolve(response.statusCode!);
      },
    )
      .once('error', reject)
      .end();
  });

test('counts all IPv6 addresses of one /64 network as one client', async () => {
  const gateway = await started({ CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' });
  const authorization = `Bearer ${await gateway.tokenOf('alice')}`;
  const path = `/realtime/post.updated?after=${gateway.services.events.position}&wait=5`;
  const polls = ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:1:ffff:ffff:ffff:ffff'].map((client) =>
    statusFor(gateway, path, client, { authorization }),
  );
  expect(await Promise.race(polls)).toBe(429);
  expect(await statusFor(gateway, '/healthz', '2001:db8:1:2::1')).toBe(200);
  expect(await statusFor(gateway, '/healthz', '::ffff:192.0.2.1')).toBe(200);
  expect((await Promise.all(polls)).sort()).toEqual([204, 204, 429]);
});

test('applies RATE_LIMIT to a /64 network of IPv6 addresses, and to each IPv4 address', async () => {
  const gateway = await started({ RATE_LIMIT: '3', TRUST_PROXY: '127.0.0.1' });
  const statuses: number[] = [];
  for (const host of ['1', '2', '3', '4']) statuses.push(await statusFor(gateway, '/healthz', `2001:db8:1:1::${host}`));
  for (const host of ['1', '2', '3', '4']) statuses.push(await statusFor(gateway, '/healthz', `192.0.2.${host}`));
  expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 200]);
});

test('counts IPv4 clients behind NAT64 and link-local hosts separately', async () => {
  const gateway = await started({ RATE_LIMIT: '1', TRUST_PROXY: '127.0.0.1' });
  const clients = [
    '64:ff9b::192.0.2.1',
    '64:ff9b::c000:202',
    '::ffff:0:192.0.2.3',
    '::ffff:0:192.0.2.4',
    'fe80::1',
    'fe80::2',
  ];
  for (const client of clients) expect([client, await statusFor(gateway, '/healthz', client)]).toEqual([client, 200]);
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', 'fe80::1'])
    expect([client, await statusFor(gateway, '/healthz', client)]).toEqual([client, 429]);
});

test('answers connections beyond CONNECTION_LIMIT with 503 until another one closes', async () => {
  const gateway = await started({ CONNECTION_LIMIT: '5' });
  const warn = vi.spyOn(gateway.server.log, 'warn');
  for (let count = 0; count < 5; count += 1) await open(gateway);
  await vi.waitUntil(async () => (await openConnections(gateway)) === 5, { timeout: 30_000 });
  for (let count = 0; count < 3; count += 1) {
    const refused = await open(gateway);
    const answer = refused.read();
    await refused.closed;
    expect(answer.text).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer.text).toContain('At most 5 connections at a time (CONNECTION_LIMIT).');
  }
  expect(warn.mock.calls).toEqual([[{ limit: 5 }, 'connections are refused by CONNECTION_LIMIT']]);
  opened.shift()!.socket.destroy();
  await vi.waitUntil(
    async () => {
      const next = await open(gateway);
      const healthy = next.read();
      next.write(requestText('/healthz'));
      return vi.waitUntil(() => healthy.text !== '', { timeout: 30_000 }).then(() => healthy.text.includes('200 OK'));
    },
    { timeout: 30_000 },
  );
});
