import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';
import { openStream } from '../support/event-stream.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { openDatabase } from '../support/faulty-gateway.ts';
import { freshDatabaseName } from '../support/store.ts';

vi.setConfig({ testTimeout: 120_000 });

const configOf = (folder: string, uri: string, more: Record<string, string> = {}) =>
  readConfig({
    ...{ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', NODE_ENV: 'test', RATE_LIMITS: 'off' },
    ...{ MONGODB_URI: uri, WEBHOOK_DELIVERY: 'false' },
    ...{ API_KEY: 'k'.repeat(40), SERVER_KEY: 's'.repeat(40), TOKEN_SECRET: 't'.repeat(40) },
    ...more,
  });

test('delivers the first event after a start during an outage of the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-outage-'));
  const database = await openDatabase();
  const proxy = await startFaultProxy(database.target);
  const databaseName = freshDatabaseName();
  const config = configOf(folder, proxy.uri);
  const earlier = await start(config, { databaseName });
  await earlier.prepared;
  await earlier.close();
  await proxy.refuse();
  const { url, prepared, close } = await start(config, { databaseName });
  // The pauses between attempts to read the log have become long.
  await new Promise((later) => setTimeout(later, 5_200));
  await proxy.accept();
  await prepared;
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    return (await fetch(`${url}${path}`, { ...init, body: JSON.stringify(body) })).json();
  };
  const user = { userId: 'newcomer', deviceId: 'd' };
  const { accessToken } = (await post('/api/v5/sessions', { 'x-api-key': 'k'.repeat(40) }, user)) as {
    accessToken: string;
  };
  const authorization = `Bearer ${accessToken}`;
  const stream = await openStream(`${url}/realtime/post.created`, { headers: { authorization } });
  const input = '{ targetType: USER, targetId: "newcomer", data: { text: "first" } }';
  await post('/graphql', { authorization }, { query: `mutation { createPost(input: ${input}) { __typename } }` });
  await vi.waitUntil(() => stream.sent.some(({ data }) => data?.includes('first')), { timeout: 10_000 });
  stream.stop();
  await close();
  await proxy.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
  expect(stream.sent.length).toBeGreaterThan(0);
});

test('is not ready and refuses requests while the event log cannot be read, however long that takes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-outage-'));
  const database = await openDatabase();
  const proxy = await startFaultProxy(database.target);
  const databaseName = freshDatabaseName();
  const config = configOf(folder, proxy.uri, { DATABASE_TIMEOUT_MS: '2000' });
  const earlier = await start(config, { databaseName });
  await earlier.prepared;
  await earlier.close();
  // Change streams are opened by `aggregate`, which a start with prepared data does not use otherwise.
  const opened = proxy.swallow((command) => command === 'aggregate');
  const { url, prepared, close } = await start(config, { databaseName });
  const signIn = () =>
    fetch(`${url}/api/v5/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'k'.repeat(40) },
      body: JSON.stringify({ userId: 'newcomer', deviceId: 'd' }),
    });
  for (const startedAt = performance.now(); performance.now() - startedAt < 13_000; ) {
    const [ready, session] = await Promise.all([fetch(`${url}/readyz`), signIn()]);
    expect([ready.status, session.status]).toEqual([503, 503]);
    expect(await ready.json()).toMatchObject({ status: 'unavailable' });
    await new Promise((later) => setTimeout(later, 200));
  }
  expect(opened()).toBeGreaterThan(0);
  proxy.swallow(() => false);
  await prepared;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await signIn()).status).toBe(200);
  await close();

  proxy.swallow((command) => command === 'aggregate');
  const closed = await start(config, { databaseName });
  await new Promise((later) => setTimeout(later, 1_000));
  const refusal = expect(closed.prepared).rejects.toThrow();
  await closed.close();
  await refusal;
  await proxy.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
