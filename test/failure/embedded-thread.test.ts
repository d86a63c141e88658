import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { EmbeddedStore } from '../../src/embedded/index.ts';
import { start } from '../../src/process/start.ts';
import { buildProgram } from '../support/build-program.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { freePort } from '../support/free-port.ts';
import { isFullLoad } from '../support/full-load.ts';

let folder: string;
const cleanups: Array<() => Promise<unknown>> = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-thread-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const KEYS = { API_KEY: 'key-of-the-network', SERVER_KEY: 'server-key-of-the-network' };
const settings = (dataDir: string, port = 0) => ({
  ...KEYS,
  PORT: String(port),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'error',
  NODE_ENV: 'test',
  RATE_LIMITS: 'off',
});

async function call(url: string, token: string | null, method: string, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-api-key': KEYS.API_KEY,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Document };
}

async function signIn(url: string, userId: string): Promise<string> {
  for (;;) {
    const { status, body } = await call(url, null, 'POST', '/api/v5/sessions', { userId, deviceId: userId });
    if (status === 200) return String(body.accessToken);
    expect(status).toBe(503);
  }
}

/** Reads, flags and unflags posts until `until` returns true, and keeps the last acknowledged state of each post. */
async function work(url: string, until: () => boolean, statuses = new Map<number, number>()) {
  const flagged = new Map<string, boolean | undefined>();
  const posts = ['seedlings', 'tomatoes', 'grafting', 'compost'];
  const token = await signIn(url, 'carol');
  await Promise.all(
    posts.map(async (postId) => {
      for (let isOn = true; !until(); isOn = !isOn) {
        const change = isOn ? (['POST', 'flag'] as const) : (['DELETE', 'unflag'] as const);
        const answers = await Promise.all([
          call(url, token, change[0], `/api/v3/posts/${postId}/${change[1]}`),
          call(url, token, 'GET', `/api/v3/posts/${postId}`),
        ]);
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // After a 503 the state is unknown.
        flagged.set(postId, answers[0].status === 200 ? isOn : undefined);
      }
    }),
  );
  return { statuses, flagged };
}

/** A store that has served for longer than a second may die any number of times. */
const SERVED_MS = 1_200;
const CRASHES = Number(process.env.THREAD_DEATHS ?? (isFullLoad ? 20 : 6));

/** Resolves when more requests of {@link work} have been answered. */
async function untilServed(statuses: ReadonlyMap<number, number>): Promise<void> {
  const answered = () => statuses.get(200) ?? 0;
  const enough = answered() + 16;
  await expect.poll(answered, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(enough);
}

/** Writes comments until `until`; returns the ids that were acknowledged. */
async function comment(url: string, until: () => boolean): Promise<string[]> {
  const token = await signIn(url, 'carol');
  const acknowledged: string[] = [];
  const writers = Array.from({ length: 8 }, async () => {
    while (!until()) {
      const data = { referenceType: 'post', referenceId: 'tomatoes', data: { text: 'kept' } };
      const { status, body } = await call(url, token, 'POST', '/api/v3/comments', data);
      expect([200, 503]).toContain(status);
      if (status === 200) acknowledged.push(body.comments[0].commentId);
    }
  });
  await Promise.all(writers);
  return acknowledged;
}

describe("the embedded store's thread", () => {
  test(`recovers for HTTP clients from ${CRASHES} crashes under writes, with every acknowledged write`, async () => {
    let store: EmbeddedStore | undefined;
    let starts = 0;
    const gateway = await start(readConfig(settings(folder)), {
      onEmbedded(started) {
        store = started;
        starts += 1;
      },
    });
    cleanups.push(() => gateway.close());
    const { comments } = gateway.services.store.collections;
    let isOver = false;
    const writing = comment(gateway.url, () => isOver);
    for (let crash = 1; crash <= CRASHES; crash += 1) {
      await new Promise((later) => setTimeout(later, SERVED_MS));
      await store!.kill();
      await expect.poll(() => starts, { timeout: 30_000 }).toBe(crash + 1);
      const before = await comments.countDocuments({ data: { text: 'kept' } });
      const counted = () => comments.countDocuments({ data: { text: 'kept' } });
      await expect.poll(counted, { timeout: 30_000 }).toBeGreaterThan(before);
    }
    isOver = true;
    const acknowledged = await writing;
    expect(acknowledged.length).toBeGreaterThan(CRASHES);
    expect(await comments.countDocuments({ commentId: { $in: acknowledged } })).toBe(acknowledged.length);
    expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  }, 240_000);

  test.each([
    ['in the data folder', () => folder],
    // Longer than the maximum path of a socket, which is then created in the folder for temporary files.
    ['in the folder for temporary files', () => join(folder, 'long'.repeat(30))],
  ])(
    'restarts at the same address, %s, with every acknowledged write',
    async (_, dataDir) => {
      const stores: EmbeddedStore[] = [];
      const gateway = await start(readConfig(settings(dataDir())), { onEmbedded: (store) => stores.push(store) });
      cleanups.push(() => gateway.close());
      let isOver = false;
      const statuses = new Map<number, number>();
      const working = work(gateway.url, () => isOver, statuses);
      for (let round = 1; round <= 3; round += 1) {
        await untilServed(statuses);
        await stores.at(-1)!.kill();
        await expect.poll(() => stores.length, { timeout: 30_000 }).toBe(round + 1);
      }
      await untilServed(statuses);
      isOver = true;
      const { flagged } = await working;

      expect(new Set(stores.map(({ uri }) => uri)).size).toBe(1);
      expect(stores[0]!.uri.includes(encodeURIComponent(dataDir()))).toBe(dataDir() === folder);
      for (const status of statuses.keys()) expect([200, 503]).toContain(status);
      const { store } = gateway.services;
      for (const [referenceId, isOn] of flagged) {
        const flag = { networkId: 'default', referenceType: 'post' as const, referenceId, userId: 'carol' };
        if (isOn !== undefined)
          expect([referenceId, await store.collections.flags.countDocuments(flag)]).toEqual([
            referenceId,
            isOn ? 1 : 0,
          ]);
      }
      expect(await findInconsistencies(store.db)).toEqual([]);
      expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    },
    180_000,
  );

  test('is not restarted after repeated crashes, and reports it', async () => {
    let giveUp: (error: Error) => void = () => undefined;
    const givenUp = new Promise<Error>((resolve) => {
      giveUp = resolve;
    });
    let kill: (() => Promise<void>) | undefined;
    let starts = 0;
    const gateway = await start(readConfig(settings(folder)), {
      onStoreExit: giveUp,
      restartPausesMs: [0, 10, 20, 30],
      onEmbedded: (store) => {
        kill = store.kill;
        starts += 1;
        if (starts > 1) void store.kill();
      },
    });
    cleanups.push(() => gateway.close());
    await kill?.();
    expect((await givenUp).message).toMatch(/^The embedded store died 5 times in a row/);
    expect(starts).toBe(5);
  }, 240_000);

  test('restarts below worker processes, which continue', async () => {
    const port = await freePort();
    const program = await buildProgram({
      'embedded-program': 'test/failure/embedded-program.ts',
      'embedded-worker': 'src/embedded/worker.ts',
    });
    cleanups.push(() => program.remove());
    const child = fork(join(program.folder, 'embedded-program.js'), {
      env: { ...process.env, ...settings(folder, port), WORKERS: '2' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const logged: string[] = [];
    child.stdout!.setEncoding('utf8').on('data', (text: string) => logged.push(text));
    const ended = new Promise((exit) => child.once('exit', exit));
    cleanups.push(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const messages: unknown[] = [];
    child.on('message', (message) => messages.push(message));
    await expect.poll(() => messages, { timeout: 120_000 }).toEqual(['started', 'ready']);
    const url = `http://127.0.0.1:${port}`;
    let isOver = false;
    const statuses = new Map<number, number>();
    const working = work(url, () => isOver, statuses);
    for (let round = 1; round <= 2; round += 1) {
      await untilServed(statuses);
      child.send('kill');
      await expect.poll(() => messages.length, { timeout: 60_000 }).toBe(round + 2);
    }
    await untilServed(statuses);
    isOver = true;
    const { flagged } = await working;
    for (const status of statuses.keys()) expect([200, 503], logged.join('')).toContain(status);
    const token = await signIn(url, 'carol');
    for (const [postId, isOn] of flagged) {
      const { body } = await call(url, token, 'GET', `/api/v3/posts/${postId}/isflagbyme`);
      if (isOn !== undefined) expect([postId, body.result ?? body.isFlagByMe]).toEqual([postId, isOn]);
    }
    child.send('close');
    expect(await ended).toBe(0);
  }, 240_000);
});
