import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BuiltProgram } from '../support/build-program.ts';
import { writeComments } from '../support/comment-writers.ts';
import { createEndpoint } from '../support/create-endpoint.ts';
import { freePort } from '../support/free-port.ts';
import { isFullLoad } from '../support/full-load.ts';
import { expectStored } from '../support/stored-comments.ts';
import { OK, type Receiver, startReceiver } from '../webhooks/receiver.ts';
import {
  buildCrashingGateway,
  type CrashingGateway,
  startCrashingGateway,
} from '../webhooks/start-crashing-gateway.ts';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? (isFullLoad ? 40 : 2));
/** Acknowledged writes after which a round ends with a kill. */
const WRITES = Number(process.env.KILL_WRITES ?? (isFullLoad ? 200 : 30));
const WRITERS = isFullLoad ? 32 : 16;

let program: BuiltProgram;
let folder: string;
let port: number;
let receiver: Receiver;
let gateway: CrashingGateway;
/** Ids of the comments delivered to the receiver. */
const delivered = new Set<string>();
beforeAll(async () => {
  program = await buildCrashingGateway();
  folder = await mkdtemp(join(tmpdir(), 'colloquy-http-kill-'));
  port = await freePort();
  receiver = await startReceiver((request, response) => {
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

const start = async () => {
  gateway = await startCrashingGateway({ program, folder, port });
};

/** Writes until the gateway is killed after enough acknowledged writes. */
async function writeUntilKilled(acknowledged: Set<string>): Promise<void> {
  const { url, child } = gateway;
  const enough = acknowledged.size + WRITES;
  await writeComments({
    url,
    token: await gateway.tokenOf('carol'),
    writers: WRITERS,
    onOutcome({ status, commentId }) {
      if (commentId) acknowledged.add(commentId);
      else if (status !== null) expect([429, 503]).toContain(status);
      if (acknowledged.size >= enough && child.signalCode === null) child.kill('SIGKILL');
      return child.signalCode !== null || (status === null && child.killed);
    },
  });
  await gateway.death();
}

test(
  `a gateway killed ${ROUNDS} times under bursts over HTTP while webhooks deliver loses no write and no delivery`,
  async () => {
    const acknowledged = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      await start();
      if (round === 0) {
        const token = await gateway.tokenOf('admin');
        await createEndpoint({ url: gateway.url, token, receiver, event: 'v3.comment.didCreate' });
      }
      await writeUntilKilled(acknowledged);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * WRITES);

    await start();
    const isAllDelivered = () => [...acknowledged].every((id) => delivered.has(id));
    await vi.waitUntil(isAllDelivered, { timeout: 60_000 + ROUNDS * WRITES * 50, interval: 200 });
    await gateway.kill();
    const stored = await expectStored(folder, acknowledged);
    if (isFullLoad) {
      console.log(`${acknowledged.size} acknowledged, ${stored} stored, ${receiver.received.length} deliveries`);
    }
  },
  120_000 + ROUNDS * (60_000 + WRITES * 200),
);
