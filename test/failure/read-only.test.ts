import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';
import { type FaultyGateway, startFaultyGateway } from '../support/faulty-gateway.ts';
import type { TestGateway } from '../support/gateway.ts';

let faulty: FaultyGateway;
let gateway: TestGateway;
beforeAll(async () => {
  faulty = await startFaultyGateway();
  gateway = faulty.gateway;
  await gateway.tokenOf('alice');
});
afterAll(() => faulty.close());

const READ = '/api/v3/posts/seedlings';
const flag = () => gateway.rest(`${READ}/flag`, { method: 'POST', body: { reason: 'Others' } });
const ready = async () => {
  const response = await fetch(`${gateway.url}/readyz`);
  return [response.status, await response.json()] as const;
};
const isWrite = (name: string) => /^(insert|update|delete|findAndModify|commitTransaction)$/.test(name);

const MESSAGE = 'The database accepts no writes right now: its disk is full, or it is read-only.';

// This test is first, because outages of the other tests are logged seconds after they end.
test('logs an outage once when it begins and once when it ends', async () => {
  const { log } = gateway.server;
  const logged = { warn: vi.spyOn(log, 'warn'), info: vi.spyOn(log, 'info'), error: vi.spyOn(log, 'error') };
  await expect.poll(async () => (await gateway.rest(READ)).status, { timeout: 30_000 }).toBe(200);

  faulty.proxy.answer((name) => (name === 'ping' ? null : { ok: 0, code: 11_600, errmsg: 'interrupted at shutdown' }));
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => gateway.rest(READ)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  }
  faulty.proxy.answer(() => null);
  await expect.poll(() => logged.info.mock.calls.length, { timeout: 60_000, interval: 200 }).toBe(1);
  expect(logged.warn).toHaveBeenCalledTimes(1);
  expect(logged.error).not.toHaveBeenCalled();
  const [outage] = logged.info.mock.calls[0] as unknown as [{ seconds: number; failures: number }];
  expect(outage.failures).toBeGreaterThan(50);
  expect((await gateway.rest(READ)).status).toBe(200);
}, 240_000);

test.each([
  [14_031, 'the disk of the data folder is full, nothing was written'],
  [8, 'the write could not be committed: EIO'],
  [1, 'the store takes no writes until it is restarted: flushing to disk failed'],
  [371, 'User writes blocked'],
  [8_000, 'you are over your space quota, using 512 MB of 512 MB'],
])('rejects writes, serves reads and recovers when the database is read-only (%i: %s)', async (code, errmsg) => {
  faulty.proxy.answer((name) => (isWrite(name) ? { ok: 0, code, errmsg } : null));
  try {
    const refused = await flag();
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      503,
      '2',
      { status: 'error', code: 500000, message: MESSAGE },
    ]);
    const query = 'mutation { flagPost(input: { postId: "seedlings" }) { __typename } }';
    expect(await gateway.graphql(query)).toMatchObject({
      status: 503,
      data: null,
      errors: [{ message: MESSAGE, extensions: { code: 'UNAVAILABLE' } }],
    });
    expect((await gateway.rest(READ)).status).toBe(200);
    expect(await ready()).toEqual([200, { status: 'ready', writes: 'refused', reason: MESSAGE }]);
  } finally {
    faulty.proxy.answer(() => null);
  }
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, { status: 'ready' }]);
  expect((await flag()).status).toBe(200);
});

test('serves reads after a restart while the database is read-only', async () => {
  const { config, store } = gateway.services;
  const errmsg = 'you are over your space quota, using 512 MB of 512 MB';
  faulty.proxy.answer((name) => (isWrite(name) ? { ok: 0, code: 8_000, errmsg } : null));
  const given = Object.entries(config).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const env = { ...Object.fromEntries(given), ...gateway.keys, PORT: '0' };
  const { databaseName } = store.db;
  const again = await start(readConfig(env), { databaseName });
  // A new network has to be written: its gateway waits for the database.
  const other = await start(
    readConfig({ ...env, NETWORK_ID: 'other', API_KEY: 'key-of-the-other', SERVER_KEY: 'server-key-of-the-other' }),
    { databaseName },
  );
  try {
    await again.prepared;
    const headers = { authorization: `Bearer ${await gateway.tokenOf('alice')}` };
    expect((await fetch(again.url + READ, { headers })).status).toBe(200);
    const early = new Promise((later) => setTimeout(later, 1_500, 'waits'));
    expect(await Promise.race([other.prepared, early])).toBe('waits');
    faulty.proxy.answer(() => null);
    await other.prepared;
  } finally {
    faulty.proxy.answer(() => null);
    await again.close();
    await other.close();
  }
});

test('masks errors that the database did not cause', async () => {
  faulty.proxy.answer((name) => (isWrite(name) ? { ok: 0, code: 1, errmsg: 'something else' } : null));
  const { status, body } = await flag();
  faulty.proxy.answer(() => null);
  expect([status, body.message]).toEqual([500, 'Something went wrong.']);
});

test.each([
  [150, 'StaleEpoch'],
  [202, 'NetworkInterfaceExceededTimeLimit'],
  [249, 'StaleDbVersion'],
  [281, 'TransactionCoordinatorSteppingDown'],
  [282, 'TransactionCoordinatorReachedAbortDecision'],
  [317, 'ConnectionPoolExpired'],
])('answers 503 when a router cannot use a shard (%i, %s)', async (code, codeName) => {
  faulty.proxy.answer((name) => (name === 'find' ? { ok: 0, code, codeName, errmsg: 'shard2 is away' } : null));
  try {
    const { status, headers, body } = await gateway.rest(READ);
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(body.message).toBe('The database does not answer right now.');
  } finally {
    faulty.proxy.answer(() => null);
  }
});
