import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { type Outcome, writeComments } from '../support/comment-writers.ts';
import { isFullLoad } from '../support/full-load.ts';
import { signIn } from '../support/gateway.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';
import { expectStored } from '../support/stored-comments.ts';

/** Starts of a second gateway; every third is killed during its start. */
const ATTEMPTS = isFullLoad ? 60 : 6;
const AT_ONCE = 3;
const WRITERS = isFullLoad ? 32 : 8;

const KEYS = {
  API_KEY: 'second-api-key',
  SERVER_KEY: 'second-server-key',
  TOKEN_SECRET: 'second-token-secret-of-32-characters',
};

let program: BuiltProgram;
let folder: string;
let file: string;
let gateway: SpawnedGateway;
beforeAll(async () => {
  program = await buildGateway();
  file = join(program.folder, 'main.js');
  folder = await mkdtemp(join(tmpdir(), 'colloquy-second-gateway-'));
}, 120_000);
afterAll(async () => {
  await gateway.kill();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({
  ...KEYS,
  DATA_DIR: folder,
  NODE_ENV: 'test',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  CONNECTIONS_PER_ADDRESS: '0',
});

/** Starts a second gateway on the same folder; returns its exit and its output. */
async function attempt(killAfterMs?: number): Promise<{ end: string | number; output: string }> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, ...env(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  if (killAfterMs !== undefined) void pause(killAfterMs).then(() => child.kill('SIGKILL'));
  const [code, signal] = await ended;
  return { end: signal ?? code, output };
}

/** The second one is given when the store changes during each attempt to check it, and the owner is not read. */
function messagesOf({ child }: SpawnedGateway): string[] {
  return [`process ${child.pid}`, 'another process, which writes to it'].map(
    (owner) => `the data folder ${join(folder, 'store')} is in use by ${owner}; one process at a time may open it`,
  );
}

async function attemptAll(): Promise<void> {
  for (let n = 0; n < ATTEMPTS; n += AT_ONCE) {
    const [killed, ...others] = await Promise.all([
      attempt(Math.floor(((n % 10) / 10) * 3_000)),
      ...Array.from({ length: AT_ONCE - 1 }, () => attempt()),
    ]);
    expect(['SIGKILL', 1]).toContain(killed!.end);
    for (const { end, output } of others) {
      expect(end).toBe(1);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(messagesOf(gateway)).toContain(output.trim());
    }
  }
}

test(
  `a gateway is not disturbed by ${ATTEMPTS} starts of another one on its folder, each of which is refused`,
  async () => {
    gateway = await spawnGateway({ file, env: env() });
    const acknowledged = new Set<string>();
    const failed: Outcome[] = [];
    let isOver = false;
    const token = await signIn({ url: gateway.url, keys: KEYS }, 'carol');
    const writing = writeComments({
      url: gateway.url,
      token,
      writers: WRITERS,
      onOutcome(outcome) {
        if (outcome.commentId) acknowledged.add(outcome.commentId);
        else failed.push(outcome);
        return isOver;
      },
    });
    await attemptAll().finally(() => {
      isOver = true;
    });
    await writing;
    // An overloaded machine refuses some requests with an error message; most are served.
    for (const outcome of failed) expect(outcome).toMatchObject({ status: 503, retryAfter: '2' });
    expect(acknowledged.size).toBeGreaterThan(ATTEMPTS + failed.length);
    await gateway.kill();
    // Of several gateways that start after a crash, only one gets the folder.
    const starts = await Promise.allSettled([1, 2, 3].map(() => spawnGateway({ file, env: env() })));
    const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const refusals = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
    for (const refusal of refusals) expect(refusal).toContain('is in use by');
    expect(winners).toHaveLength(1);
    gateway = winners[0]!;
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toEqual([0, null]);
    expect(gateway.errors()).toBe('');
    await expectStored(folder, acknowledged);
    if (isFullLoad) {
      console.log(
        `${ATTEMPTS} starts refused or killed, ${acknowledged.size} writes acknowledged, ${failed.length} refused`,
        new Set(failed.map(({ message }) => message)),
      );
    }
  },
  240_000 + ATTEMPTS * 20_000,
);
