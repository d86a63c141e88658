import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createStreamClient, resumable } from '../../client/src/index.ts';
import { startWriter } from '../realtime/loss/writer.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProgram, gatewayProgram } from '../support/gateway-process.ts';
import type { SpawnedGateway } from '../support/spawn-gateway.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { openDatabase } from '../support/two-gateways.ts';
import { linksOver, POST_UPDATED, type Subscribe } from './links.ts';

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

test(
  'over two gateways that are killed and connections that are cut, each client and link receives each event once, in order',
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
    const payloadOf = (topic: string) => ({ query: POST_UPDATED, variables: { topic } });
    type SocketSink = Parameters<ReturnType<typeof createClient>['subscribe']>[1];
    const clients: Record<string, Subscribe> = {
      socket: (topic, sink) => socket().subscribe(payloadOf(topic), sink as SocketSink),
      stream: (topic, sink) => streams().subscribe(payloadOf(topic), sink),
      ...linksOver(socket),
    };
    const received = Object.entries(clients).flatMap(([client, subscribe]) =>
      ['a', 'b'].map((topic) => {
        const numbers: number[] = [];
        const ends: unknown[] = [];
        const stop = subscribe(`default/loss/${topic}/#`, {
          next: ({ data }) => numbers.push(Number((data!.postUpdated as { path: string }).path.split('/').at(-1))),
          error: (reason) => ends.push(reason),
          complete: () => ends.push('complete'),
        });
        return { client, topic, numbers, ends, stop };
      }),
    );
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
    for (const { client, topic, numbers, ends, stop } of received) {
      const start = numbers[0]!;
      const expected = Array.from({ length: writer.written.get(topic)! - start }, (_, index) => start + index);
      expect([client, ends, numbers]).toEqual([client, [], expected]);
      stop();
    }
    // All subscribed within the first connections.
    for (const { numbers } of received) expect(numbers.length).toBeGreaterThan(20);
  },
  MAX_MS,
);
