import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProgram, gatewayProgram } from '../support/gateway-process.ts';
import { ask } from '../support/mutate.ts';
import { isSharded } from '../support/sharded/distribute.ts';
import type { SpawnedGateway } from '../support/spawn-gateway.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { openDatabase } from '../support/two-gateways.ts';
import { startSubscriber } from './loss/subscriber.ts';
import { type Connect, overLongPoll, overRestStream, overSocket, overStream } from './loss/transports.ts';
import { startWriter } from './loss/writer.ts';

/** `LOSS=full` for the documented scale; else a scale that fits into the suite, or that an emulated cluster keeps up with. */
const SCALE =
  process.env.LOSS === 'full'
    ? { subscribers: 50, perSecond: 200, disconnects: 1_000, kills: 200 }
    : { subscribers: 20, perSecond: isSharded() ? 10 : 50, disconnects: 60, kills: 5 };
/** Allows for the starts of gateways on a busy machine, and as long again for catching up. */
const MAX_MS = process.env.LOSS === 'full' ? 7_200_000 : isSharded() ? 900_000 : 300_000;

/** Transports and topics, assigned to the subscribers in turn. Only members receive the private topic. */
const TRANSPORTS: Array<[name: string, connect: Connect, topic: string]> = [
  ['socket', overSocket, '#'],
  ['stream', overStream, 'a/#'],
  ['socket', overSocket, 'private/#'],
  ['REST stream', overRestStream, 'slow/#'],
  ['socket', overSocket, 'b/#'],
  ['stream', overStream, '+/+'],
  ['long-poll', overLongPoll, 'slow/#'],
];
const USERS = ['bob', 'carol', 'heidi', 'grace', 'kim', 'frank', 'leo'];
const MEMBERS = new Set(['carol', 'grace', 'frank']);

let database: Awaited<ReturnType<typeof openDatabase>>;
/** Never killed: it writes the events and signs in the users. */
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
    { maxDelayMs: 120 },
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
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;

describe('no event is lost', () => {
  it(
    `${SCALE.subscribers} subscribers, ${SCALE.disconnects} disconnects, ${SCALE.kills} killed gateways: each receives every visible event, once and in order`,
    async () => {
      const { eventCursor } = await ask(first, '{ eventCursor }');
      const tokens = new Map<string, string>();
      for (const user of USERS) tokens.set(user, await signIn(first, user));
      const subscribers = Array.from({ length: SCALE.subscribers }, (_, n) => {
        const [transport, connect, topic] = TRANSPORTS[n % TRANSPORTS.length]!;
        const user = USERS[(n + Math.floor(n / TRANSPORTS.length)) % USERS.length]!;
        const subscribed =
          topic.startsWith('#') || topic.startsWith('+') ? ['a', 'b', 'slow', 'private'] : [topic.split('/')[0]!];
        return startSubscriber({
          name: `${n} ${user} over ${transport} to ${topic}`,
          connect,
          url: proxy.url,
          token: tokens.get(user)!,
          topic: `default/loss/${topic}`,
          topics: subscribed.filter((name) => name !== 'private' || MEMBERS.has(user)),
          after: eventCursor,
        });
      });
      const writer = startWriter(first, SCALE.perSecond);
      const startedAt = performance.now();

      let kills = 0;
      const killing = (async () => {
        for (; kills < SCALE.kills; kills += 1) {
          await pause(Math.random() * 2_500);
          const index = Math.floor(Math.random() * gateways.length);
          const { port } = gateways[index]!;
          await gateways[index]!.kill();
          gateways[index] = await program.start(port);
          // A long run reports its progress, and stops at the first fault.
          const faults = subscribers.reduce((sum, { tally }) => sum + tally.faults.length, 0);
          if (kills % 20 === 19) process.stderr.write(`${kills + 1} kills, ${faults} faults\n`);
          if (faults > 0) return;
        }
      })();
      let disconnects = 0;
      const disconnecting = (async () => {
        for (; disconnects < SCALE.disconnects; disconnects += 1) {
          await pause(Math.random() * 400);
          if (Math.random() < 0.5) pick(subscribers).disconnect();
          else proxy.cutOne();
        }
      })();
      await Promise.all([killing, disconnecting]);
      await writer.stop();
      const writtenMs = performance.now() - startedAt;

      const lags = () =>
        subscribers.flatMap(({ tally: { name, next } }) =>
          [...next].flatMap(([topic, due]) =>
            due === writer.written.get(topic) ? [] : [`${name}: ${topic} at ${due}`],
          ),
        );
      const end = performance.now() + MAX_MS / 2;
      while (lags().length > 0 && performance.now() < end) await pause(100);
      const caughtUpMs = performance.now() - startedAt - writtenMs;
      // Leaves time for duplicates to arrive.
      await pause(500);

      const tallies = subscribers.map(({ tally }) => tally);
      expect(tallies.flatMap(({ name, faults }) => faults.slice(0, 3).map((fault) => `${name}: ${fault}`))).toEqual([]);
      expect(lags()).toEqual([]);
      for (const { stop } of subscribers) await stop();

      const written = [...writer.written.values()].reduce((sum, count) => sum + count, 0);
      const delivered = tallies.reduce(
        (sum, { next }) => sum + [...next.values()].reduce((all, count) => all + count, 0),
        0,
      );
      const reconnects = tallies.reduce((sum, tally) => sum + tally.reconnects, 0);
      console.info(
        `${written} events in ${(writtenMs / 1_000).toFixed(0)} s, delivered ${delivered} times to ${SCALE.subscribers} subscribers, who reconnected ${reconnects} times after ${disconnects} disconnects and ${kills} kills; caught up after ${caughtUpMs.toFixed(0)} ms`,
      );
      expect(written).toBeGreaterThan(SCALE.perSecond * 5);
      expect(reconnects).toBeGreaterThan(SCALE.disconnects / 2);
    },
    MAX_MS,
  );
});
