import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { freePort } from '../support/free-port.ts';
import { signIn } from '../support/gateway.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/** `KILL_ROUNDS=20 KILL_WRITES=370 npx vitest run test/recovery/http-kill.test.ts` for a release. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 2);
/** Acknowledged writes after which a round ends with a kill. */
const WRITES = Number(process.env.KILL_WRITES ?? 30);
const WRITERS = 16;

type Keys = { API_KEY: string; SERVER_KEY: string; TOKEN_SECRET: string };

let program: BuiltProgram;
let folder: string;
let port: number;
let receiver: Receiver;
let child: ChildProcess;
beforeAll(async () => {
  program = await buildProgram({
    gateway: 'test/webhooks/crashing-gateway.ts',
    'embedded-worker': 'src/embedded/worker.ts',
  });
  folder = await mkdtemp(join(tmpdir(), 'colloquy-http-kill-'));
  port = await freePort();
  receiver = await startReceiver();
}, 120_000);
afterAll(async () => {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await receiver.close();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

const url = () => `http://127.0.0.1:${port}`;

async function startGateway(): Promise<Keys> {
  child = spawn(process.execPath, [join(program.folder, 'gateway.js'), folder, String(port), 'never'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await vi.waitUntil(() => said.includes('\n') || child.exitCode !== null, { timeout: 60_000, interval: 20 });
  return JSON.parse(said.slice('ready '.length)) as Keys;
}

/** Comments until the gateway is killed after enough acknowledged writes. */
async function writeUntilKilled(keys: Keys, acknowledged: Set<string>): Promise<void> {
  const token = await signIn({ url: url(), keys }, 'carol');
  const enough = acknowledged.size + WRITES;
  const body = JSON.stringify({ referenceType: 'post', referenceId: 'tomatoes', data: { text: 'kept' } });
  const headers = { authorization: `Bearer ${token}`, 'x-api-key': keys.API_KEY, 'content-type': 'application/json' };
  const dead = once(child, 'close');
  const write = async () => {
    while (child.signalCode === null) {
      const response = await fetch(`${url()}/api/v3/comments`, { method: 'POST', headers, body }).catch(() => null);
      // The connection may break within an answer.
      const answer = (await response?.json().catch(() => null)) as { comments?: { commentId: string }[] } | null;
      if (response?.status === 200 && answer?.comments) acknowledged.add(answer.comments[0]!.commentId);
      else if (response) expect([200, 429, 503]).toContain(response.status);
      if (acknowledged.size >= enough && child.signalCode === null) child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await dead;
}

test(
  `a gateway killed ${ROUNDS} times under bursts over HTTP while webhooks deliver loses no write and no delivery`,
  async () => {
    const acknowledged = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const keys = await startGateway();
      if (round === 0) await createEndpoint(keys);
      await writeUntilKilled(keys, acknowledged);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * WRITES);

    await startGateway();
    const delivered = () =>
      new Set(receiver.received.map(({ body }) => JSON.parse(body).data.comments?.[0]?.commentId));
    const missing = () => {
      const seen = delivered();
      return [...acknowledged].filter((id) => !seen.has(id));
    };
    await vi.waitUntil(() => missing().length === 0, { timeout: 60_000 + ROUNDS * WRITES * 50, interval: 200 });
    child.kill('SIGKILL');
    await once(child, 'close');

    const store = await startEmbeddedStore({ folder: join(folder, 'store') });
    const client = await MongoClient.connect(store.uri);
    const db = client.db('colloquy');
    const stored = await db.collection('comments').find({ 'data.text': 'kept' }).toArray();
    const ids = new Set(stored.map(({ commentId }) => commentId));
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    expect(await findInconsistencies(db)).toEqual([]);
    await client.close();
    await store.close();
    if (process.env.KILL_ROUNDS)
      console.log(`${acknowledged.size} acknowledged, ${ids.size} stored, ${receiver.received.length} calls`);
  },
  120_000 + ROUNDS * (60_000 + WRITES * 200),
);

async function createEndpoint(keys: Keys): Promise<void> {
  const admin = await signIn({ url: url(), keys }, 'admin');
  const query = `mutation { createWebhookEndpoint(input: { url: "${receiver.url}", events: ["v3.comment.didCreate"] }) {
    ... on CreateWebhookEndpointPayload { secret } } }`;
  const response = await fetch(`${url()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin}` },
    body: JSON.stringify({ query }),
  });
  expect(await response.json()).toMatchObject({ data: { createWebhookEndpoint: { secret: expect.any(String) } } });
}
