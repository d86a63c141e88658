import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { limitLive } from '../support/live-limits.ts';
import { useMqttClients } from '../support/mqtt-client.ts';

limitLive({ refusals: 3 });
const connect = useMqttClients();

async function started(env: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'on',
    RATE_LIMIT_CREDENTIALS: '3',
    RATE_LIMIT_COUNTERS: 'memory',
    ...env,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

const signIn = ({ url }: TestGateway, key: string) =>
  fetch(`${url}/api/v5/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ userId: 'alice', deviceId: 'device' }),
  });

const mint = ({ url }: TestGateway, key: string) =>
  fetch(`${url}/api/v3/authentication/token?userId=alice`, { headers: { 'x-server-key': key } });

const guesses = async (guess: (key: string) => Promise<{ status: number }>) => {
  const statuses = [];
  for (const key of ['one', 'two', 'three', 'four']) statuses.push((await guess(key)).status);
  return statuses;
};

describe('invalid keys', () => {
  test('are refused beyond the limit of their address, and so are valid ones, before they are compared', async () => {
    const gateway = await started();
    const { API_KEY, SERVER_KEY } = gateway.keys;
    expect(await guesses((key) => signIn(gateway, key))).toEqual([401, 401, 401, 429]);
    expect(await guesses((key) => mint(gateway, key))).toEqual([401, 401, 401, 429]);
    for (const answer of [await signIn(gateway, API_KEY), await mint(gateway, SERVER_KEY)]) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after')) > 0).toBe(true);
      expect(answer.headers.get('ratelimit-policy')).toBe('"credential";q=3;w=60');
    }
    const commands = await gateway.commandsOf(async () => void (await signIn(gateway, 'five')));
    expect(commands).toEqual([]);
  });

  test('count apart by kind, and not for requests with a session and no key', async () => {
    const gateway = await started();
    const token = await gateway.tokenOf('alice');
    expect(await guesses((key) => signIn(gateway, key))).toEqual([401, 401, 401, 429]);
    expect((await mint(gateway, gateway.keys.SERVER_KEY)).status).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${gateway.url}/api/v3/users/bob`, { headers })).status).toBe(200);
  });

  test('count where a session sends them, over REST and GraphQL', async () => {
    const gateway = await started();
    const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}`, 'content-type': 'application/json' };
    const assign = (key: string) =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'x-server-key': key },
        body: JSON.stringify({ query: '{ rateLimits { class } }' }),
      }).then(async (answer) => ((await answer.json()) as { errors: [{ extensions: object }] }).errors[0].extensions);
    for (const key of ['one', 'two', 'three']) expect(await assign(key)).toMatchObject({ code: 'UNAUTHORIZED' });
    for (const key of ['four', gateway.keys.SERVER_KEY])
      expect(await assign(key)).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) });
  });

  test('count for event streams of the server of an application', async () => {
    const gateway = await started();
    const poll = (key: string) =>
      fetch(`${gateway.url}/webhook/v3.post.didUpdate?after=${gateway.services.events.position}&wait=0`, {
        headers: { 'x-server-key': key },
      });
    expect(await guesses(poll)).toEqual([401, 401, 401, 429]);
    expect((await poll(gateway.keys.SERVER_KEY)).status).toBe(429);
  });
});

describe('invalid tokens', () => {
  test('are answered with 429 beyond the limit of their address, while valid ones are accepted', async () => {
    const gateway = await started();
    const read = (token: string) =>
      fetch(`${gateway.url}/api/v3/users/bob`, { headers: { authorization: `Bearer ${token}` } });
    const valid = await gateway.tokenOf('alice');
    expect(await guesses(read)).toEqual([401, 401, 401, 429]);
    expect(Number((await read('five')).headers.get('retry-after')) > 0).toBe(true);
    const graphql = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { authorization: 'Bearer six', 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { userId } }' }),
    });
    expect([graphql.status, await graphql.json()]).toMatchObject([
      429,
      { errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }] },
    ]);
    expect((await read(valid)).status).toBe(200);
    expect((await signIn(gateway, gateway.keys.API_KEY)).status).toBe(200);
  });

  test('count over WebSockets and MQTT', async () => {
    const gateway = await started();
    const closeCode = (token: string) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
        socket.on('open', () =>
          socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } })),
        );
        socket.on('close', resolve);
      });
    expect([await closeCode('one'), await closeCode('two')]).toEqual([4401, 4401]);
    await expect(connect(gateway, 'bob', { token: 'three' })).rejects.toMatchObject({ code: 4 });
    await expect(connect(gateway, 'bob', { token: 'four' })).rejects.toMatchObject({ code: 3 });
    expect(await closeCode('five')).toBe(4429);
    await connect(gateway, 'bob');
  });
});

test('a limit of 0 counts no invalid credentials', async () => {
  const gateway = await started({ RATE_LIMIT_CREDENTIALS: '0' });
  expect(await guesses((key) => signIn(gateway, key))).toEqual([401, 401, 401, 401]);
});

describe('rateLimits', () => {
  const QUERY = '{ rateLimits { class countedFor limit remaining } }';
  type Quotas = { rateLimits: Array<{ class: string; countedFor: string; limit: number; remaining: number }> };

  test('answers a caller without a session with the quotas of the address', async () => {
    const gateway = await started();
    const { data } = await gateway.graphql<Quotas>(QUERY, { as: null });
    expect(new Set(data.rateLimits.map(({ countedFor }) => countedFor))).toEqual(new Set(['ADDRESS']));
    expect(data.rateLimits).toContainEqual({ class: 'READ', countedFor: 'ADDRESS', limit: 1_200, remaining: 1_199 });
    expect(data.rateLimits).toContainEqual({ class: 'SIGN_IN', countedFor: 'ADDRESS', limit: 300, remaining: 300 });
  });

  test('answers with the quotas of valid keys, and reveals nothing about others', async () => {
    const gateway = await started({ RATE_LIMIT_API_KEY: '10' });
    await signIn(gateway, gateway.keys.API_KEY);
    await mint(gateway, gateway.keys.SERVER_KEY);
    const ask = async (apiKey: string, serverKey: string) => {
      const answer = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'x-server-key': serverKey, 'content-type': 'application/json' },
        body: JSON.stringify({ query: QUERY }),
      });
      return (await answer.json()) as { data: Quotas | null; errors?: Array<{ extensions: { code: string } }> };
    };
    const { API_KEY, SERVER_KEY } = gateway.keys;
    const { data } = await ask(API_KEY, SERVER_KEY);
    expect(data!.rateLimits).toContainEqual({ class: 'API_KEY', countedFor: 'API_KEY', limit: 10, remaining: 9 });
    expect(data!.rateLimits).toContainEqual({
      class: 'MINT',
      countedFor: 'SERVER_KEY',
      limit: 6_000,
      remaining: 5_999,
    });
    for (const answer of [await ask('wrong', SERVER_KEY), await ask(API_KEY, 'wrong')]) {
      expect(answer.data).toBeNull();
      expect(answer.errors![0]!.extensions.code).toBe('UNAUTHORIZED');
    }
  });

  test('reports what remains after operations of each class', async () => {
    const gateway = await started({ RATE_LIMIT_SEARCHES: '7' });
    await gateway.graphql('{ search(query: "garden") { __typename } }');
    const { data } = await gateway.graphql<Quotas>(QUERY);
    const search = data.rateLimits.find((limit) => limit.class === 'SEARCH');
    expect(search).toEqual({ class: 'SEARCH', countedFor: 'USER', limit: 7, remaining: 6 });
  });
});
