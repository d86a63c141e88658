import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createStreamClient, resumable, type Sink } from '../../client/src/index.ts';
import { startWriter } from '../realtime/loss/writer.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProgram, gatewayProgram } from '../support/gateway-process.ts';
import type { SpawnedGateway } from '../support/spawn-gateway.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { openDatabase } from '../support/two-gateways.ts';

const MAX_MS = 300_000;
const CUTS = 40;
const KILLS = 3;

let database: Awaited<ReturnType<typeof openDatabase>>;
/** Never killed: it writes the events. */
let first: TestGateway;
let program: GatewayProgram;
let gateways: SpawnedGateway[];
let proxy: TcpProxy;
beforeAll(async () => {
  database = await openDatabase();
  first = await startTestGateway({ MONGODB_URI: database.uri });
  program = await gatewayProgram(first);
  gateways = [await program.start(), await program.start()];
  proxy = await startTcpProxy(
    gateways.map(({ port }) => port),
    { maxDelayMs: 50 },
  );
}, MAX_MS);
afterAll(async () => {
  await proxy?.close();
  for (const gateway of gateways ?? []) await gateway.kill();
  await program?.remove();
  await first?.close();
  await database?.close();
});

const pause = (ms: number) => new Promise((later) => setTimeout(later, ms));
const QUERY = `subscription ($topic: String, $after: String) {
  postUpdated(topic: $topic, after: $after) { path cursor post { postId } }
}`;

test(
  'over two gateways that are killed and connections that are cut, each client receives each event once, in order',
  async () => {
    const token = await signIn(first, 'alice');
    const socket = () =>
      createClient(
        resumable({
          url: `${proxy.url.replace('http', 'ws')}/graphql`,
          webSocketImpl: WebSocket,
          connectionParams: { Authorization: `Bearer ${token}` },
        }),
      );
    const streams = () =>
      createStreamClient({ url: `${proxy.url}/graphql`, headers: () => ({ authorization: `Bearer ${token}` }) });
    const received = Array.from({ length: 8 }, (_, index) => {
      const topic = index % 4 < 2 ? 'a' : 'b';
      const numbers: number[] = [];
      const ends: unknown[] = [];
      const sink: Sink = {
        next: ({ data }) => numbers.push(Number((data!.postUpdated as { path: string }).path.split('/').at(-1))),
        error: (reason) => ends.push(reason),
        complete: () => ends.push('complete'),
      };
      const payload = { query: QUERY, variables: { topic: `default/loss/${topic}/#` } };
      const stop =
        index % 2 === 0
          ? socket().subscribe(payload, sink as Parameters<ReturnType<typeof createClient>['subscribe']>[1])
          : streams().subscribe(payload, sink);
      return { topic, numbers, ends, stop };
    });
    const writer = startWriter(first, 40);
    const killing = (async () => {
      for (let kills = 0; kills < KILLS; kills += 1) {
        await pause(2_000);
        const index = kills % gateways.length;
        const { port } = gateways[index]!;
        await gateways[index]!.kill();
        gateways[index] = await program.start(port);
      }
    })();
    for (let cuts = 0; cuts < CUTS; cuts += 1) {
      await pause(100 + Math.random() * 200);
      proxy.cutOne();
    }
    await killing;
    await writer.stop();
    const isBehind = () =>
      received.some(
        ({ topic, numbers, ends }) => ends.length === 0 && numbers.at(-1) !== writer.written.get(topic)! - 1,
      );
    const end = performance.now() + MAX_MS / 2;
    while (isBehind() && performance.now() < end) await pause(100);
    // Leaves time for repeated events to arrive.
    await pause(500);
    for (const { topic, numbers, ends, stop } of received) {
      const start = numbers[0]!;
      const expected = Array.from({ length: writer.written.get(topic)! - start }, (_, index) => start + index);
      expect([ends, numbers]).toEqual([[], expected]);
      stop();
    }
    // All subscribed within the first connections.
    for (const { numbers } of received) expect(numbers.length).toBeGreaterThan(20);
  },
  MAX_MS,
);
