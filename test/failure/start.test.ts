import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { type Started, start } from '../../src/process/start.ts';
import { buildGateway } from '../support/build-program.ts';
import { type FakeMongod, MEMBER_HELLO, startFakeMongod } from '../support/fake-mongod.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { openDatabase } from '../support/faulty-gateway.ts';
import { freshDatabaseName } from '../support/store.ts';

// Starts whole processes and prepares databases; the machine may be busy.
vi.setConfig({ testTimeout: 240_000 });

const ROOT = join(import.meta.dirname, '..', '..');

let folder: string;
const cleanups: Array<() => Promise<unknown>> = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-start-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const settings = (uri: string) => ({
  PORT: '0',
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  NODE_ENV: 'test',
  RATE_LIMITS: 'off',
  MONGODB_URI: uri,
  // A MongoDB server may run emulated.
  DATABASE_TIMEOUT_MS: process.env.MONGODB_URI ? '20000' : '5000',
});

async function startWith(uri: string, databaseName = freshDatabaseName()): Promise<Started> {
  const started = await start(readConfig(settings(uri)), { databaseName });
  cleanups.push(() => started.close());
  return started;
}

const ask = async ({ url, keys }: Started, path: string, body?: object) => {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', 'x-api-key': keys.API_KEY },
    ...(body && { body: JSON.stringify(body) }),
  });
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, body: (await response.json()) as Document };
};

const SIGN_IN = { userId: 'newcomer', deviceId: 'd' };

describe('a database that comes up after the gateway', () => {
  test('is awaited with every transport open, and then used', async () => {
    const database = await openDatabase();
    cleanups.push(() => database.close());
    const proxy = await startFaultProxy(database.target);
    cleanups.push(() => proxy.close());
    await proxy.refuse();
    const started = await startWith(proxy.uri);

    expect(await ask(started, '/healthz')).toMatchObject({ status: 200 });
    const reason = 'The database has not been reached yet.';
    expect(await ask(started, '/readyz')).toEqual({
      status: 503,
      retryAfter: '2',
      body: { status: 'unavailable', reason },
    });
    expect(await ask(started, '/api/v5/sessions', SIGN_IN)).toEqual({
      status: 503,
      retryAfter: '2',
      body: { status: 'error', code: 500000, message: reason },
    });
    for (const query of ['{ viewer { userId } }', 'mutation { flagPost(input: { postId: "p" }) { __typename } }']) {
      expect(await ask(started, '/graphql', { query })).toEqual({
        status: 503,
        retryAfter: '2',
        body: { errors: [{ message: reason, extensions: { code: 'UNAVAILABLE' } }] },
      });
    }
    expect(await ask(started, `/graphql?query=${encodeURIComponent('{ viewer { userId } }')}`)).toMatchObject({
      status: 503,
      retryAfter: '2',
      body: { errors: [{ message: reason, extensions: { code: 'UNAVAILABLE' } }] },
    });

    await proxy.accept();
    expect(await started.prepared).toEqual({ filled: false, refusedKeys: [] });
    expect(await ask(started, '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(await ask(started, '/api/v5/sessions', SIGN_IN)).toMatchObject({
      status: 200,
      body: { users: [{ userId: 'newcomer' }] },
    });
    const { store } = started.services;
    expect((await store.collections.posts.indexes()).length).toBeGreaterThan(3);
    if (process.env.MONGODB_URI) await store.db.dropDatabase();
  });

  test('may disconnect while it is prepared', async () => {
    const database = await openDatabase();
    cleanups.push(() => database.close());
    const proxy = await startFaultProxy(database.target);
    cleanups.push(() => proxy.close());
    const cut = proxy.cutNext({ command: (name) => name === 'createIndexes', when: 'after', times: 3 });
    const started = await startWith(proxy.uri);
    await started.prepared;
    expect(cut()).toBe(3);
    expect(await ask(started, '/api/v5/sessions', SIGN_IN)).toMatchObject({ status: 200 });
    if (process.env.MONGODB_URI) await started.services.store.db.dropDatabase();
  });

  test('may be initiated as a replica set later', async () => {
    let hello: Document = { ...MEMBER_HELLO, setName: undefined, isWritablePrimary: false, isreplicaset: true };
    const fake = await startFake(() => hello);
    const started = await startWith(`mongodb://${fake.address}/?directConnection=true`);
    const early = new Promise((later) => setTimeout(later, 1_500, 'waits'));
    expect(await Promise.race([started.prepared, early])).toBe('waits');
    expect([...fake.queried].filter((name) => /^(find|insert|update|createIndexes)$/.test(name))).toEqual([]);
    hello = MEMBER_HELLO;
    // The fake server cannot be prepared; the test checks only that it is queried.
    await expect.poll(() => fake.queried.has('update') || fake.queried.has('find'), { timeout: 30_000 }).toBe(true);
  });
});

async function startFake(
  hello: () => Document,
  answer?: (name: string) => Document,
): Promise<FakeMongod & { queried: Set<string> }> {
  const queried = new Set<string>();
  const fake = await startFakeMongod(hello, (name) => {
    queried.add(name);
    return answer?.(name) ?? { ok: 1, cursor: { id: 0n, ns: 'x.y', firstBatch: [] }, n: 1, version: '6.0.14' };
  });
  cleanups.push(() => fake.close());
  return { ...fake, queried };
}

describe('an unusable database', () => {
  const STANDALONE = { ...MEMBER_HELLO, setName: undefined, setVersion: undefined };
  test.each<[string, Document, string, RegExp, ((name: string) => Document)?]>([
    ['is a standalone server', STANDALONE, 'directConnection=true', /standalone server.*--replSet/s],
    [
      'is a standalone server, but the URI names a replica set',
      STANDALONE,
      'replicaSet=rs0',
      /No server .* replica set rs0/,
    ],
    ['belongs to another set', MEMBER_HELLO, 'replicaSet=rs1', /No server .* replica set rs1/],
    ['is too old', { ...MEMBER_HELLO, maxWireVersion: 17 }, 'directConnection=true', /MongoDB 6\.0\.14; 7\.0 or newer/],
    ['is far too old', { ...MEMBER_HELLO, maxWireVersion: 6 }, 'directConnection=true', /MONGODB_URI: .*requires/s],
    [
      'rejects the credentials',
      MEMBER_HELLO,
      'directConnection=true',
      /refuses the gateway .*user and password in MONGODB_URI/,
      (name) => ({ ok: 0, code: 13, codeName: 'Unauthorized', errmsg: `${name} requires authentication` }),
    ],
  ])('%s: the gateway reports it and never listens', async (_, hello, options, message, answer) => {
    const fake = await startFake(() => hello, answer);
    const error = await startWith(`mongodb://${fake.address}/?${options}`).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(message);
  });

  test('prevents the start', async () => {
    await expect(start(readConfig(settings('mongodb://a:b:c/?nonsense=true')))).rejects.toThrow(ConfigError);
  });

  test.each(['1', '2'])('ends the process with a message, WORKERS=%s', async (WORKERS) => {
    const fake = await startFake(() => STANDALONE);
    const uri = `mongodb://${fake.address}/?directConnection=true`;
    const program = await buildGateway();
    onTestFinished(() => program.remove());
    const child = spawn(process.execPath, [join(program.folder, 'main.js')], {
      cwd: ROOT,
      env: { ...process.env, ...settings(uri), WORKERS },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stderr.on('data', (text) => {
      output += text;
    });
    const code = await new Promise((ended) => child.once('close', ended));
    expect([code, output]).toEqual([1, expect.stringContaining('standalone server')]);
    expect(output).not.toContain('    at ');
  });
});

test('the MongoDB driver accepts the fake server', async () => {
  const fake = await startFake(() => MEMBER_HELLO);
  const client = await MongoClient.connect(`mongodb://${fake.address}/?replicaSet=rs0`);
  cleanups.push(() => client.close());
  expect(await client.db('x').command({ ping: 1 })).toMatchObject({ ok: 1 });
});

test('a part that fails to close leaves no other part open', async () => {
  const database = await openDatabase();
  const proxy = await startFaultProxy(database.target);
  const started = await start(readConfig(settings(proxy.uri)), { databaseName: freshDatabaseName() });
  await started.prepared;
  const { events, store } = started.services;
  vi.spyOn(events, 'close').mockImplementationOnce(async () => {
    throw new Error('The event log did not close.');
  });
  const closeStore = vi.spyOn(store, 'close');
  await expect(started.close()).rejects.toThrow('The event log did not close.');
  expect(closeStore).toHaveBeenCalledOnce();
  await events.close();
  await proxy.close();
  await database.close();
});
