import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import type { UserErasureRecord } from '../../src/store/records/erasure.ts';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { freePort } from '../support/free-port.ts';
import { signIn, type TestGateway } from '../support/gateway.ts';
import { createMarkedPerson } from '../support/marked-person.ts';
import { successfulMutations } from '../support/mutate.ts';
import { tracesInFiles, tracesInRecords } from '../support/traces.ts';

/** Numbers of writes after which successive processes are killed: at the first, and in the middle of several steps. */
const KILLS = [1, 9, 28, 14, 18, 14];

const WAIT = { timeout: 120_000, interval: 100 };

let program: BuiltProgram;
let folder: string;
let port: number;
let child: ChildProcess | undefined;
beforeAll(async () => {
  program = await buildProgram({
    gateway: 'test/recovery/erasing-gateway.ts',
    'embedded-worker': 'src/embedded/worker.ts',
  });
  folder = await mkdtemp(join(tmpdir(), 'colloquy-erasure-kill-'));
  port = await freePort();
}, 120_000);
afterAll(async () => {
  child?.kill('SIGKILL');
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

interface Killable {
  ended: Promise<unknown>;
  hasEnded(): boolean;
  /** Keys of the network; null if the process was killed before it was ready. */
  keys: TestGateway['keys'] | null;
}

async function startGateway(killAt: number): Promise<Killable> {
  const args = [join(program.folder, 'gateway.js'), folder, String(port), String(killAt)];
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  const ended = once(started, 'close');
  const hasEnded = () => started.exitCode !== null || started.signalCode !== null;
  let output = '';
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await vi.waitUntil(() => output.includes('\n') || hasEnded(), { timeout: 120_000, interval: 20 });
  return { ended, hasEnded, keys: output.includes('\n') ? JSON.parse(output.slice('ready '.length)) : null };
}

/** The calls of a test to the gateway process. */
function callsOf(keys: TestGateway['keys']): TestGateway {
  const url = `http://127.0.0.1:${port}`;
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (userId: string) => {
    const token = tokens.get(userId) ?? signIn({ url, keys }, userId);
    tokens.set(userId, token);
    return token;
  };
  const graphql: TestGateway['graphql'] = async (query, { as = 'alice', variables } = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(as!)}` },
      body: JSON.stringify({ query, variables }),
    });
    return { ...((await response.json()) as { data: never }), status: response.status };
  };
  return { url, keys, tokenOf, graphql } as unknown as TestGateway;
}

/** Also false if the gateway is killed meanwhile. */
async function isCompleted(gateway: TestGateway, userId: string): Promise<boolean> {
  const query = `{ userErasure(userId: "${userId}") { state } }`;
  const answer = await gateway.graphql<{ userErasure: { state: string } }>(query, { as: 'admin' }).catch(() => null);
  return answer?.data?.userErasure.state === 'COMPLETED';
}

/** Opens the store of the ended process. */
async function inStore<Result>(work: (client: MongoClient) => Promise<Result>): Promise<Result> {
  const store = await startEmbeddedStore({ folder: join(folder, 'store') });
  const client = await MongoClient.connect(store.uri);
  try {
    return await work(client);
  } finally {
    await client.close();
    await store.close();
  }
}

/** The erasure after its process was killed. Ends its lease, which would last up to a minute. */
const killedErasure = (userId: string) =>
  inStore(async (client) => {
    const erasures = client.db('colloquy').collection<UserErasureRecord>('userErasures');
    return (await erasures.findOneAndUpdate({ userId }, { $set: { leaseEndsAt: new Date(0) } }))!;
  });

test('an erasure that is killed with its process in the middle of several steps leaves no trace of the person', async () => {
  const first = await startGateway(KILLS[0]!);
  const gateway = callsOf(first.keys!);
  const { userId, markers, contentMarkers } = await createMarkedPerson(gateway, 'killed');
  await gateway.tokenOf('admin');
  const input = { userId, content: 'REMOVE', reason: 'Request 7' };
  // Killed while it answers.
  await successfulMutations(gateway)('admin', 'eraseUser', input, 'erasure { state }').catch(() => undefined);
  await first.ended;

  const progress = [(await killedErasure(userId)).completedSteps.length];
  for (const killAt of KILLS.slice(1)) {
    const { keys, ended, hasEnded } = await startGateway(killAt);
    // A process with fewer writes left than its number completes the erasure.
    if (keys) await vi.waitUntil(async () => hasEnded() || (await isCompleted(callsOf(keys), userId)), WAIT);
    if (!hasEnded()) break;
    await ended;
    const erasure = await killedErasure(userId);
    expect(erasure.state).toBe('running');
    progress.push(erasure.completedSteps.length);
  }
  child!.kill('SIGKILL');
  // Each process continued where the last one was killed, and the kills hit different steps.
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(new Set(progress).size).toBeGreaterThanOrEqual(3);

  const last = await startGateway(-1);
  await vi.waitUntil(() => isCompleted(callsOf(last.keys!), userId), WAIT);
  child!.kill('SIGKILL');
  await last.ended;

  const all = [...markers, ...contentMarkers];
  await inStore(async (client) => {
    const db = client.db('colloquy');
    expect(await tracesInRecords(db, all)).toEqual([]);
    // No deletion was counted twice.
    expect(await findInconsistencies(db)).toEqual([]);
  });
  expect(await tracesInFiles(join(folder, 'files'), all)).toEqual([]);
}, 600_000);
