import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseMetrics } from '../observe/parse-metrics.ts';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { freePort } from '../support/free-port.ts';

/** Keys of this test's network. */
const KEYS = { API_KEY: 'workers-api-key', SERVER_KEY: 'workers-server-key', TOKEN_SECRET: 'workers-'.repeat(5) };
const FLAGGERS = ['alice', 'bob', 'dan', 'erin', 'fay', 'kim', 'mia'];

let program: BuiltProgram;
let folder: string;
let url: string;
let metricsUrl: string;
let primary: ChildProcess;
let uri: string;
/** The workers that have served a request, from the log. */
const workers = new Set<number>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-workers-'));
  program = await buildGateway();
  const port = await freePort();
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  url = `http://127.0.0.1:${port}`;
  uri = `mongodb://${encodeURIComponent(join(folder, 'store', 'store.sock'))}/?directConnection=true`;
  const { MONGODB_URI: _, ...env } = process.env;
  primary = spawn(process.execPath, [join(program.folder, 'main.js')], {
    env: {
      ...env,
      ...KEYS,
      WORKERS: '2',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATA_DIR: folder,
      LOG_LEVEL: 'debug',
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
      DATABASE_TIMEOUT_MS: '60000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: primary.stdout! }).on('line', (line) => {
    const pid = /"pid":(\d+).*"req/.exec(line)?.[1];
    if (pid) workers.add(Number(pid));
  });
  await vi.waitUntil(isReady, { timeout: 120_000, interval: 100 });
});
afterAll(async () => {
  primary.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  await program.remove();
});

const isReady = (): Promise<boolean> =>
  ask('/readyz').then(
    ({ status }) => status === 200,
    () => false,
  );

interface Ask {
  token?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Each call uses a new connection, so that both processes serve some. */
async function ask(path: string, { token, method = 'GET', headers = {}, body }: Ask = {}) {
  const response = await fetch(url + path, {
    // Generous for a busy machine. Without a timeout, an unanswered connection would block the test.
    signal: AbortSignal.timeout(20_000),
    method,
    headers: {
      connection: 'close',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Document };
}

async function signIn(userId: string): Promise<string> {
  const headers = { 'x-server-key': KEYS.SERVER_KEY };
  const minted = await ask('/api/v4/authentication/token', { method: 'POST', headers, body: { userId } });
  const session = await ask('/api/v5/sessions', {
    method: 'POST',
    headers: { 'x-api-key': KEYS.API_KEY },
    body: { userId, deviceId: `workers-${userId}`, authToken: minted.body },
  });
  return session.body.accessToken;
}

const flag = (token: string, postId: string) =>
  ask(`/api/v3/posts/${postId}/flag`, { method: 'POST', token, body: { reason: 'Others', detail: 'x' } });
const unflag = (token: string, postId: string) => ask(`/api/v3/posts/${postId}/unflag`, { method: 'DELETE', token });

/** Enough concurrent connections that a single process is unlikely to accept all. */
const readByBoth = (token: string) =>
  Promise.all(Array.from({ length: 12 }, () => ask('/api/v3/posts/tomatoes', { token })));

describe('two gateway processes on one embedded store', () => {
  it('share requests, and each immediately sees the writes of the other', async () => {
    const token = await signIn('carol');
    for (let i = 0; i < 10; i++) {
      const isFlagged = i % 2 === 0;
      const { status } = await (isFlagged ? flag : unflag)(token, 'tomatoes');
      expect(status).toBe(200);
      for (const { body } of await readByBoth(token)) expect(body.posts[0].flagCount).toBe(isFlagged ? 1 : 0);
    }
    // The operating system chooses the process; usually both have accepted connections by now.
    await expect.poll(() => readByBoth(token).then(() => workers.size), { timeout: 30_000 }).toBe(2);
  });

  it('report their metrics in one scrape, and their status as one', async () => {
    const { series } = parseMetrics(await (await fetch(metricsUrl)).text());
    const processes = series('process_resident_memory_bytes').map(({ labels }) => labels.worker);
    expect(processes.sort()).toEqual(['1', '2', 'primary']);
    const route = { operation: 'GET /api/v3/posts/:postId' };
    const served = series('colloquy_request_duration_seconds', route);
    expect(served.map(({ labels }) => labels.worker).sort()).toEqual(['1', '2']);
    expect(series('colloquy_webhook_backlog')).toEqual([{ labels: {}, value: 0 }]);

    const token = await signIn('admin');
    const query = '{ serverStatus { processes residentMemoryBytes } }';
    const { body } = await ask('/graphql', { method: 'POST', token, body: { query } });
    expect(body.errors).toBeUndefined();
    expect(body.data.serverStatus.processes).toBe(3);
  });

  it('count concurrent writes through both exactly', async () => {
    const tokens = await Promise.all(FLAGGERS.map(signIn));
    const flagged = await Promise.all(tokens.map((token) => flag(token, 'seedlings')));
    expect(flagged.map(({ status }) => status)).toEqual(FLAGGERS.map(() => 200));
    const { body } = await ask('/api/v3/posts/seedlings', { token: tokens[0]! });
    expect(body.posts[0].flagCount).toBe(FLAGGERS.length);
    const unflagged = await Promise.all(tokens.map((token) => unflag(token, 'seedlings')));
    expect(unflagged.map(({ status }) => status)).toEqual(FLAGGERS.map(() => 200));
    expect(await consistent()).toEqual([]);
  });

  it('continue when one is killed under load, lose no acknowledged write, and replace it', async () => {
    const tokens = await Promise.all(FLAGGERS.map(signIn));
    const [victim] = workers;
    const survivors = new Set(workers);
    survivors.delete(victim!);
    let isOver = false;
    const acknowledged = new Map<string, boolean>();
    const writers = tokens.map(async (token, i) => {
      for (let isFlagged = true; !isOver; isFlagged = !isFlagged) {
        const answer = await (isFlagged ? flag : unflag)(token, 'seedlings').catch(() => undefined);
        // Interrupted, so the write may or may not be applied: the next round repeats it.
        if (answer?.status === 200) acknowledged.set(FLAGGERS[i]!, isFlagged);
        else acknowledged.delete(FLAGGERS[i]!);
      }
    });
    await expect.poll(() => acknowledged.size, { timeout: 30_000 }).toBe(FLAGGERS.length);
    workers.clear();
    process.kill(victim!, 'SIGKILL');
    await expect.poll(() => [...workers].some((pid) => !survivors.has(pid)), { timeout: 30_000 }).toBe(true);
    isOver = true;
    await Promise.all(writers);

    expect(acknowledged.size).toBeGreaterThan(0);
    for (const [i, token] of tokens.entries()) {
      const wanted = acknowledged.get(FLAGGERS[i]!);
      if (wanted === undefined) continue;
      const { body } = await ask('/api/v3/posts/seedlings/isflagbyme', { token });
      expect({ user: FLAGGERS[i], ...body }).toEqual({ user: FLAGGERS[i], result: wanted });
    }
    expect(await consistent()).toEqual([]);
  });

  it('are joined by a third gateway through EMBEDDED_STORE_URI', async () => {
    const port = await freePort();
    const third = spawn(process.execPath, [join(program.folder, 'main.js')], {
      env: {
        PATH: process.env.PATH,
        ...KEYS,
        PORT: String(port),
        DATA_DIR: folder,
        LOG_LEVEL: 'error',
        NODE_ENV: 'test',
        RATE_LIMITS: 'off',
        DATABASE_TIMEOUT_MS: '60000',
        EMBEDDED_STORE_URI: uri,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    onTestFinished(() => void third.kill('SIGKILL'));
    const token = await signIn('carol');
    const headers = { authorization: `Bearer ${token}` };
    const there = `http://127.0.0.1:${port}/api/v3/posts/compost`;
    await expect
      .poll(() => fetch(there, { headers }).then(({ status }) => status, String), { timeout: 30_000 })
      .toBe(200);
    expect((await flag(token, 'compost')).status).toBe(200);
    const { posts } = (await (await fetch(there, { headers })).json()) as { posts: Array<{ flagCount: number }> };
    expect(posts[0]?.flagCount).toBe(1);
    third.kill('SIGTERM');
    expect(await once(third, 'exit')).toEqual([0, null]);
  });

  it('end together with the primary, and leave no process behind', async () => {
    expect(await isReady()).toBe(true);
    const pids = [...workers];
    primary.kill('SIGTERM');
    expect(await once(primary, 'exit')).toEqual([0, null]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

async function consistent(): Promise<string[]> {
  const client = await MongoClient.connect(uri);
  try {
    return await findInconsistencies(client.db('colloquy'));
  } finally {
    await client.close();
  }
}
