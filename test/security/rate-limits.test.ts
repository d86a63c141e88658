import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { schema } from '../../schema/index.ts';
import { readConfig } from '../../src/config.ts';
import { CLASS_OF_FIELD } from '../../src/limits/rates/rate-classes.ts';
import { createRateLimits, RateLimitError } from '../../src/limits/rates/rate-limits.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient } from '../support/live.ts';
import { limitLive } from '../support/live-limits.ts';
import { useMqttClients } from '../support/mqtt-client.ts';
import { multipartOf, PREFLIGHT } from '../support/multipart.ts';

limitLive({ refusals: 3 });
const connect = useMqttClients();

async function started(env: Record<string, string>): Promise<TestGateway> {
  const gateway = await startTestGateway({
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'on',
    RATE_LIMIT_COUNTERS: 'memory',
    ...env,
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

const LIMITS = '{ rateLimits { class limit remaining resetsIn } }';
const FOLLOW = 'mutation { followUser(input: { userId: "bob" }) { __typename } }';

describe('over HTTP', () => {
  test('limits each user, and announces what is left', async () => {
    const gateway = await started({ RATE_LIMIT_READS: '3' });
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await gateway.rest('/api/v3/users/bob'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe('"read";q=3;w=60');
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"read";r=2;t=(60|59)$/);
    expect(answers[3]!.body).toMatchObject({ status: 'error', code: 400311 });
    const wait = Number(answers[3]!.headers.get('retry-after'));
    expect(wait > 0 && wait <= 60).toBe(true);
    expect((await gateway.rest('/api/v3/users/bob', { as: 'carol' })).status).toBe(200);
  });

  test('limits queries and mutations apart, and answers GraphQL with a typed error', async () => {
    const gateway = await started({ RATE_LIMIT_READS: '2', RATE_LIMIT_WRITES: '1' });
    expect((await gateway.graphql(FOLLOW)).errors).toBeUndefined();
    const refused = await gateway.graphql(FOLLOW);
    expect([refused.status, refused.errors?.[0]?.extensions]).toEqual([
      429,
      { code: 'RATE_LIMITED', retryAfter: expect.any(Number) },
    ]);
    expect((await gateway.graphql('{ viewer { userId } }')).status).toBe(200);
    expect((await gateway.graphql('{ viewer { userId } }')).status).toBe(200);
    expect((await gateway.graphql('{ viewer { userId } }')).status).toBe(429);
  });

  test('counts every mutation of a document that executes', async () => {
    const gateway = await started({ RATE_LIMIT_WRITES: '5' });
    const document = `mutation { ...two ...two ${'abc'
      .split('')
      .map((name) => `${name}: ${FOLLOW.slice(11, -2)}`)
      .join(' ')} }
      fragment two on Mutation { x: followUser(input: { userId: "carol" }) { __typename } }`;
    expect((await gateway.graphql(document)).status).toBe(200);
    expect((await gateway.graphql(FOLLOW)).status).toBe(200);
    expect((await gateway.graphql(FOLLOW)).status).toBe(429);
  });

  test('refuses fragments that expand to 2^40 fields without expanding them', async () => {
    const gateway = await started({});
    const fragments = Array.from({ length: 40 }, (_, at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`);
    const document = `{ ...f0 } ${fragments.join(' ')} fragment f40 on Query { viewer { userId } }`;
    expect((await gateway.graphql(document)).status).toBe(413);
  });

  test('limits sign-ins by address, whether or not someone is signed in, and auth tokens by server key', async () => {
    const gateway = await started({ RATE_LIMIT_SIGN_INS: '3', RATE_LIMIT_AUTH_TOKENS: '3' });
    const { API_KEY, SERVER_KEY } = gateway.keys;
    // Mints an auth token and signs in.
    const token = await gateway.tokenOf('alice');
    const signIn = (userId: string, token?: string) =>
      fetch(`${gateway.url}/api/v5/sessions`, {
        method: 'POST',
        headers: {
          'x-api-key': API_KEY,
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ userId, deviceId: userId }),
      });
    const statuses = [];
    for (const userId of ['bob', 'carol', 'dave']) statuses.push((await signIn(userId, token)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const mint = () =>
      fetch(`${gateway.url}/api/v3/authentication/token?userId=alice`, { headers: { 'x-server-key': SERVER_KEY } });
    const minted = [(await mint()).status, (await mint()).status, (await mint()).status];
    expect(minted).toEqual([200, 200, 429]);
  });

  test('limits sign-ins by API key', async () => {
    const gateway = await started({ RATE_LIMIT_API_KEY: '1' });
    await gateway.tokenOf('alice');
    await expect(gateway.tokenOf('bob')).rejects.toThrow();
  });

  test('limits uploads before their body is read', async () => {
    const gateway = await started({ RATE_LIMIT_UPLOADS: '1' });
    const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}` };
    const upload = () => {
      const body = new FormData();
      body.append('files', new Blob(['text']), 'x.txt');
      return fetch(`${gateway.url}/api/v4/files`, { method: 'POST', headers, body });
    };
    expect([(await upload()).status, (await upload()).status]).toEqual([200, 429]);
  });

  test('limits uploads in GraphQL', async () => {
    const gateway = await started({ RATE_LIMIT_UPLOADS: '1' });
    const authorization = `Bearer ${await gateway.tokenOf('alice')}`;
    const document = 'mutation ($input: UploadFilesInput!) { uploadFiles(input: $input) { __typename } }';
    const upload = async () => {
      const body = multipartOf(document, { input: { files: [new File(['text'], 'x.txt')] } });
      return fetch(`${gateway.url}/graphql`, { method: 'POST', headers: { ...PREFLIGHT, authorization }, body });
    };
    expect((await upload()).status).toBe(200);
    const refused = await upload();
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { errors: [{ extensions: { code: 'RATE_LIMITED' } }] },
    ]);
  });

  test('limits requests without a session by address', async () => {
    const gateway = await started({ RATE_LIMIT_READS: '1' });
    expect((await gateway.graphql('{ __typename }', { as: null })).status).toBe(200);
    expect((await gateway.graphql('{ __typename }', { as: null })).status).toBe(429);
    expect((await gateway.graphql('{ __typename }')).status).toBe(200);
  });

  test('limits event streams and polls', async () => {
    const gateway = await started({ RATE_LIMIT_READS: '1' });
    const poll = () => gateway.rest(`/realtime/post.updated?after=${gateway.services.events.position}&wait=0`);
    expect([(await poll()).status, (await poll()).status]).toEqual([204, 429]);
  });

  test('limits the streams of the server of an application, and not requests with a wrong key', async () => {
    const gateway = await started({ RATE_LIMIT_READS: '1' });
    const poll = (key: string) =>
      fetch(`${gateway.url}/webhook/v3.post.didUpdate?after=${gateway.services.events.position}&wait=0`, {
        headers: { 'x-server-key': key },
      }).then(({ status }) => status);
    const { SERVER_KEY } = gateway.keys;
    const statuses = [];
    for (const key of ['wrong', 'wrong', SERVER_KEY, SERVER_KEY]) statuses.push(await poll(key));
    expect(statuses).toEqual([401, 401, 204, 429]);
  });

  test('limits downloads by user, and those of public files by address without reading the session', async () => {
    const gateway = await started({ RATE_LIMIT_DOWNLOADS: '1' });
    const body = new FormData();
    body.append('files', new Blob(['text']), 'x.txt');
    const authorization = `Bearer ${await gateway.tokenOf('alice')}`;
    const uploaded = await fetch(`${gateway.url}/api/v4/files`, { method: 'POST', headers: { authorization }, body });
    const [{ fileId }] = (await uploaded.json()) as [{ fileId: string }];
    const { files } = gateway.services.store.collections;
    const download = async (headers: Record<string, string>) => {
      const answer = await fetch(`${gateway.url}/files/${fileId}`, { headers });
      await answer.arrayBuffer();
      return [answer.status, answer.headers.get('ratelimit-policy'), Number(answer.headers.get('retry-after')) > 0];
    };
    const policy = '"download";q=1;w=60';
    await files.updateOne({ networkId: gateway.networkId, fileId }, { $set: { accessType: 'network' } });
    expect(await download({ authorization })).toEqual([200, policy, false]);
    expect(await download({ authorization })).toEqual([429, policy, true]);
    await files.updateOne({ networkId: gateway.networkId, fileId }, { $set: { accessType: 'public' } });
    expect(await gateway.commandsOf(() => download({ authorization }))).toEqual(['find']);
    expect(await download({})).toEqual([429, policy, true]);
  });

  test.each([
    ['that cannot be parsed', '{ viewer {'],
    ['that is not valid', '{ unknown }'],
  ])('limits documents %s by address, and no others', async (_, document) => {
    const gateway = await started({ RATE_LIMIT_INVALID: '2' });
    const get = () => fetch(`${gateway.url}/graphql?query=${encodeURIComponent(document)}`);
    expect((await gateway.graphql(document)).errors?.[0]?.extensions?.code).not.toBe('RATE_LIMITED');
    expect((await get()).status).not.toBe(429);
    const refused = await gateway.graphql(document);
    expect([refused.status, refused.errors?.[0]?.extensions]).toEqual([
      429,
      { code: 'RATE_LIMITED', retryAfter: expect.any(Number) },
    ]);
    const answer = await get();
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await gateway.graphql('{ viewer { userId } }')).status).toBe(200);
  });
});

test('limits connections over MQTT: authorized ones by user, others by address', async () => {
  const gateway = await started({ RATE_LIMIT_READS: '1', RATE_LIMIT_INVALID: '1' });
  await expect(connect(gateway, 'bob', { token: 'wrong' })).rejects.toMatchObject({ code: 4 });
  await expect(connect(gateway, 'bob', { token: 'wrong' })).rejects.toMatchObject({ code: 3 });
  await connect(gateway, 'bob');
  await expect(connect(gateway, 'bob')).rejects.toMatchObject({ code: 3 });
  await connect(gateway, 'carol');
});

test('limits operations on a WebSocket, with the time to wait', async () => {
  const gateway = await started({ RATE_LIMIT_READS: '2' });
  const client = await liveClient(gateway, 'alice');
  onTestFinished(() => client.close());
  const query = async () => {
    const answer = client.listen('{ viewer { userId } }');
    await vi.waitUntil(() => answer.isDone);
    return answer;
  };
  expect((await query()).events).toEqual([{ userId: 'alice' }]);
  expect((await gateway.rest('/api/v3/users/bob')).status).toBe(200);
  const refused = { extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } };
  expect((await query()).errors).toMatchObject([refused]);
  const subscription = client.listen('subscription { postUpdated { __typename } }');
  await vi.waitUntil(() => subscription.isDone);
  expect(subscription.errors).toMatchObject([refused]);
});

test.each([
  ['queries', '{ viewer { userId } }'],
  ['invalid documents', '{ unknown }'],
])('closes a WebSocket that keeps sending %s beyond the limit', async (_, document) => {
  const gateway = await started({ RATE_LIMIT_READS: '1', RATE_LIMIT_INVALID: '1' });
  const client = await liveClient(gateway, 'alice');
  onTestFinished(() => client.close());
  const closed = new Promise((resolve) => client.client.on('closed', (event) => resolve((event as CloseEvent).code)));
  for (let count = 0; count < 5; count += 1) {
    const answer = client.listen(document);
    await vi.waitUntil(() => answer.isDone);
  }
  expect(await closed).toBe(4429);
});

test('answers users with their quotas', async () => {
  const gateway = await started({ RATE_LIMIT_WRITES: '7', RATE_LIMIT_SEARCHES: '0' });
  await gateway.graphql(FOLLOW);
  const { data } = await gateway.graphql<{ rateLimits: object[] }>(LIMITS);
  expect(data.rateLimits).toContainEqual({ class: 'WRITE', limit: 7, remaining: 6, resetsIn: expect.any(Number) });
  expect(data.rateLimits.map((limit) => 'class' in limit && limit.class)).toEqual([
    'READ',
    'WRITE',
    'REPORT',
    'UPLOAD',
    'SIGN_IN',
    'MINT',
    'DOWNLOAD',
    'EXPORT',
    'INVALID',
  ]);
  expect(await gateway.commandsOf(() => gateway.graphql(LIMITS))).toEqual(['find']);
});

test('has no limits when they are off', async () => {
  const gateway = await started({ RATE_LIMITS: 'off', RATE_LIMIT_READS: '1' });
  const answers = [await gateway.rest('/api/v3/users/bob'), await gateway.rest('/api/v3/users/bob')];
  expect(answers.map(({ status, headers }) => [status, headers.get('ratelimit')])).toEqual([
    [200, null],
    [200, null],
  ]);
  expect((await gateway.graphql<{ rateLimits: object[] }>(LIMITS)).data.rateLimits).toEqual([]);
});

describe('the counters', () => {
  const client = { user: { networkId: 'n', userId: 'u' }, address: '192.0.2.1', apiKey: null, serverKey: null };

  test('start again after a minute, and refusals do not count', () => {
    let time = 0;
    const refused: string[] = [];
    const limits = createRateLimits({
      config: readConfig({ RATE_LIMIT_WRITES: '2' }),
      now: () => time,
      onRefused: (name) => refused.push(name),
    });
    const write = () => limits.charge(client, [['write', 1]]);
    expect(write()).toEqual({ name: 'write', countedFor: 'user', limit: 2, remaining: 1, resetSeconds: 60 });
    time = 45_000;
    expect(write()).toEqual({ name: 'write', countedFor: 'user', limit: 2, remaining: 0, resetSeconds: 15 });
    expect(write).toThrow(RateLimitError);
    expect(refused).toEqual(['write']);
    time = 60_000;
    expect(write()).toMatchObject({ remaining: 1, resetSeconds: 60 });
  });

  test('are independent of the wall clock', async () => {
    const limits = createRateLimits({ config: readConfig({}) });
    limits.charge(client, [['read', 1]]);
    vi.spyOn(Date, 'now').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    expect((await limits.quotasOf(client))[0]).toMatchObject({ name: 'read', remaining: 1_199, resetSeconds: 60 });
  });

  test('count nothing of an operation that exceeds one of several limits', () => {
    const limits = createRateLimits({ config: readConfig({ RATE_LIMIT_REPORTS: '1' }), now: () => 0 });
    const both = () =>
      limits.charge(client, [
        ['write', 1],
        ['report', 1],
      ]);
    expect(both()).toMatchObject({ name: 'write', remaining: 599 });
    expect(both).toThrow('at most 1 of the class report');
    expect(limits.charge(client, [['write', 1]])).toMatchObject({ remaining: 598 });
  });

  test('admit a document with more mutations than the limit once per window', () => {
    let time = 0;
    const limits = createRateLimits({ config: readConfig({ RATE_LIMIT_WRITES: '5' }), now: () => time });
    const many = () => limits.charge(client, [['write', 50]]);
    expect(many()).toMatchObject({ remaining: 0 });
    expect(many).toThrow(RateLimitError);
    time = 60_000;
    expect(many()).toMatchObject({ remaining: 0 });
  });

  test('count sign-ins with an API key from all addresses together, if that is limited', () => {
    const limits = createRateLimits({ config: readConfig({ RATE_LIMIT_API_KEY: '1' }), now: () => 0 });
    const signIn = (apiKey: string, address: string) => () =>
      limits.charge({ user: null, address, apiKey, serverKey: null }, [['signIn', 1]]);
    expect(signIn('one', '192.0.2.1')()).toMatchObject({ name: 'signIn', limit: 300, remaining: 299 });
    expect(signIn('one', '192.0.2.2')).toThrow('at most 1 of the class apiKey');
    expect(signIn('two', '192.0.2.2')).not.toThrow();
    const unlimited = createRateLimits({ config: readConfig({}), now: () => 0 });
    for (let last = 1; last < 255; last += 1)
      unlimited.charge({ user: null, address: `192.0.2.${last}`, apiKey: 'one', serverKey: null }, [['signIn', 1]]);
  });

  test('count an IPv6 network of 64 bits as one client', () => {
    const limits = createRateLimits({ config: readConfig({ RATE_LIMIT_SIGN_INS: '1' }), now: () => 0 });
    const from = (address: string) => () =>
      limits.charge({ user: null, address, apiKey: null, serverKey: null }, [['signIn', 1]]);
    from('2001:db8:1:1::1')();
    expect(from('2001:db8:1:1::2')).toThrow(RateLimitError);
    expect(from('2001:db8:1:2::1')).not.toThrow();
  });
});

test('every field with a class of its own exists', () => {
  const fields = { ...schema.getQueryType()!.getFields(), ...schema.getMutationType()!.getFields() };
  expect(Object.keys(CLASS_OF_FIELD).filter((name) => !(name in fields))).toEqual([]);
});
