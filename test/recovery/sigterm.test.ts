import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltProgram, buildGateway } from '../support/build-program.ts';
import { type Outcome, writeComments } from '../support/comment-writers.ts';
import { createEndpoint } from '../support/create-endpoint.ts';
import { type EventStream, openStream } from '../support/event-stream.ts';
import { isFullLoad } from '../support/full-load.ts';
import { signIn } from '../support/gateway.ts';
import { type RawSocket, rawSocket } from '../support/raw-socket.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';
import { expectStored } from '../support/stored-comments.ts';
import { OK, type Receiver, startReceiver } from '../webhooks/receiver.ts';

const ROUNDS = isFullLoad ? 10 : 2;
/** Acknowledged writes after which a round ends with the signal. */
const WRITES = isFullLoad ? 370 : 40;
const WRITERS = isFullLoad ? 64 : 16;
/** Each client holds its share of the sockets. */
const USERS = ['alice', 'bob', 'carol', 'dave', 'erin'];
const SOCKETS = isFullLoad ? 100 : 20;

const KEYS = {
  API_KEY: 'sigterm-api-key',
  SERVER_KEY: 'sigterm-server-key',
  TOKEN_SECRET: 'sigterm-token-secret-of-32-characters',
};

let program: BuiltProgram;
let folder: string;
let receiver: Receiver;
let gateway: SpawnedGateway;
/** The number of times each delivery arrived, by id. */
const deliveries = new Map<string, number>();
const delivered = new Set<string>();
beforeAll(async () => {
  program = await buildGateway();
  folder = await mkdtemp(join(tmpdir(), 'colloquy-sigterm-'));
  receiver = await startReceiver((request, response) => {
    const id = request.headers['webhook-id']!;
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
    delivered.add(JSON.parse(request.body).data.comments?.[0]?.commentId);
    return OK(request, response);
  });
}, 120_000);
afterAll(async () => {
  await gateway.kill();
  await receiver.close();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

const start = async (workers: number) => {
  gateway = await spawnGateway({
    file: join(program.folder, 'main.js'),
    env: {
      ...KEYS,
      DATA_DIR: folder,
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      WORKERS: String(workers),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      CONNECTIONS_PER_ADDRESS: '0',
    },
  });
};

const tokenOf = (userId: string) => signIn({ url: gateway.url, keys: KEYS }, userId);

async function openSocket(token: string): Promise<RawSocket> {
  const raw = await (await rawSocket(gateway.url)).init(token);
  raw.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { commentCreated { path } }' } });
  return raw;
}

async function openAll(): Promise<{ sockets: RawSocket[]; streams: EventStream[] }> {
  const tokens = await Promise.all(USERS.map(tokenOf));
  const sockets: RawSocket[] = [];
  while (sockets.length < SOCKETS) sockets.push(...(await Promise.all(tokens.map(openSocket))));
  const streams = await Promise.all(
    tokens.map((token) =>
      openStream(`${gateway.url}/realtime/comment.created`, { headers: { authorization: `Bearer ${token}` } }),
    ),
  );
  return { sockets, streams };
}

/** Writes until the gateway has exited; it gets the signal after enough acknowledged writes. */
async function writeUntilStopped(acknowledged: Set<string>): Promise<{ outcomes: Outcome[]; signalledAt: number }> {
  const enough = acknowledged.size + WRITES;
  const outcomes: Outcome[] = [];
  let signalledAt = Number.POSITIVE_INFINITY;
  await writeComments({
    url: gateway.url,
    token: await tokenOf('carol'),
    writers: WRITERS,
    onOutcome(outcome) {
      outcomes.push(outcome);
      if (outcome.commentId) acknowledged.add(outcome.commentId);
      if (acknowledged.size >= enough && signalledAt === Number.POSITIVE_INFINITY) {
        signalledAt = performance.now();
        gateway.child.kill('SIGTERM');
      }
      return outcome.status === null;
    },
  });
  return { outcomes, signalledAt };
}

test(
  `a gateway ended by SIGTERM ${ROUNDS} times under load completes requests in progress, closes every connection and loses nothing`,
  async () => {
    const acknowledged = new Set<string>();
    let longestMs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await start(1 + (round % 2));
      if (round === 0) {
        const token = await tokenOf('admin');
        await createEndpoint({ url: gateway.url, token, receiver, event: 'v3.comment.didCreate' });
      }
      const { sockets, streams } = await openAll();
      const { outcomes, signalledAt } = await writeUntilStopped(acknowledged);
      expect(await gateway.ended).toEqual([0, null]);
      longestMs = Math.max(longestMs, performance.now() - signalledAt);
      expect(gateway.errors()).toBe('');
      for (const { status } of outcomes) expect([200, 503, null]).toContain(status);
      const broken = outcomes.filter(({ status, begunAt }) => status === null && begunAt < signalledAt);
      expect(broken).toEqual([]);
      const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
      expect(new Set(codes)).toEqual(new Set([1001]));
      for (const { sent } of streams) expect(sent.at(-1)).toMatchObject({ event: 'error' });
    }
    // Requests may take DATABASE_TIMEOUT_MS (10 s) and a second; on a busy machine the shutdown is slow too.
    expect(longestMs).toBeLessThan(30_000);

    await start(1);
    const isAllDelivered = () => [...acknowledged].every((id) => delivered.has(id));
    await vi.waitUntil(isAllDelivered, { timeout: 60_000 + ROUNDS * WRITES * 50, interval: 200 });
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toEqual([0, null]);
    const stored = await expectStored(folder, acknowledged);
    if (isFullLoad) {
      const repeated = [...deliveries.values()].filter((count) => count > 1).length;
      console.log(
        `${acknowledged.size} acknowledged, ${stored} stored, ${deliveries.size} deliveries, ${repeated} of them repeated, longest end ${longestMs.toFixed()} ms`,
      );
    }
  },
  120_000 + ROUNDS * (90_000 + WRITES * 200),
);
