import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type GatewayProgram, gatewayProgram } from '../support/gateway-process.ts';
import { ask } from '../support/mutate.ts';
import type { SpawnedGateway } from '../support/spawn-gateway.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { openDatabase } from '../support/two-gateways.ts';
import { startSubscriber } from './loss/subscriber.ts';
import { type Door, overLongPoll, overRestStream, overSocket, overStream } from './loss/transports.ts';
import { startWriter } from './loss/writer.ts';

/** `LOSS=full` for the numbers that are promised; else as much of them as the suite has time for. */
const SCALE =
  process.env.LOSS === 'full'
    ? { subscribers: 50, perSecond: 200, disconnects: 1_000, kills: 200 }
    : { subscribers: 20, perSecond: 50, disconnects: 60, kills: 5 };
/** Gateways that a busy machine needs long to start, and as long again for what is then to be caught up with. */
const MAX_MS = process.env.LOSS === 'full' ? 7_200_000 : 300_000;

/** By turns. Who is a member sees the private topic too. */
const DOORS: Array<[name: string, door: Door, topic: string]> = [
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
/** Never killed: it writes, and signs in. */
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
const any = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;

describe('no event is lost', () => {
  it(
    `${SCALE.subscribers} subscribers, ${SCALE.disconnects} disconnects, ${SCALE.kills} killed gateways: each sees every event it may see, once and in order`,
    async () => {
      const { eventCursor } = await ask(first, '{ eventCursor }');
      const tokens = new Map<string, string>();
      for (const user of USERS) tokens.set(user, await signIn(first, user));
      const subscribers = Array.from({ length: SCALE.subscribers }, (_, n) => {
        const [door, run, topic] = DOORS[n % DOORS.length]!;
        const user = USERS[(n + Math.floor(n / DOORS.length)) % USERS.length]!;
        const asked =
          topic.startsWith('#') || topic.startsWith('+') ? ['a', 'b', 'slow', 'private'] : [topic.split('/')[0]!];
        return startSubscriber({
          name: `${n} ${user} by ${door} to ${topic}`,
          door: run,
          url: proxy.url,
          token: tokens.get(user)!,
          topic: `default/loss/${topic}`,
          topics: asked.filter((name) => name !== 'private' || MEMBERS.has(user)),
          after: eventCursor,
        });
      });
      const writer = startWriter(first, SCALE.perSecond);
      const begun = performance.now();

      let kills = 0;
      const killing = (async () => {
        for (; kills < SCALE.kills; kills += 1) {
          await pause(Math.random() * 2_500);
          const place = Math.floor(Math.random() * gateways.length);
          const { port } = gateways[place]!;
          await gateways[place]!.kill();
          gateways[place] = await program.start(port);
          // A long run says how far it is, and goes on in vain no longer than it must.
          const faults = subscribers.reduce((sum, { tally }) => sum + tally.faults.length, 0);
          if (kills % 20 === 19) process.stderr.write(`${kills + 1} kills, ${faults} faults\n`);
          if (faults > 0) return;
        }
      })();
      let disconnects = 0;
      const disconnecting = (async () => {
        for (; disconnects < SCALE.disconnects; disconnects += 1) {
          await pause(Math.random() * 400);
          if (Math.random() < 0.5) any(subscribers).disconnect();
          else proxy.cutOne();
        }
      })();
      await Promise.all([killing, disconnecting]);
      await writer.stop();
      const writtenMs = performance.now() - begun;

      const lags = () =>
        subscribers.flatMap(({ tally: { name, next } }) =>
          [...next].flatMap(([topic, due]) =>
            due === writer.written.get(topic) ? [] : [`${name}: ${topic} at ${due}`],
          ),
        );
      const end = performance.now() + MAX_MS / 2;
      while (lags().length > 0 && performance.now() < end) await pause(100);
      const caughtUpMs = performance.now() - begun - writtenMs;
      // What comes twice would still come.
      await pause(500);

      const tallies = subscribers.map(({ tally }) => tally);
      expect(tallies.flatMap(({ name, faults }) => faults.slice(0, 3).map((fault) => `${name}: ${fault}`))).toEqual([]);
      expect(lags()).toEqual([]);
      for (const { stop } of subscribers) await stop();

      const written = [...writer.written.values()].reduce((sum, count) => sum + count, 0);
      const told = tallies.reduce(
        (sum, { next }) => sum + [...next.values()].reduce((all, count) => all + count, 0),
        0,
      );
      const returns = tallies.reduce((sum, tally) => sum + tally.returns, 0);
      console.info(
        `${written} events in ${(writtenMs / 1_000).toFixed(0)} s, told ${told} times to ${SCALE.subscribers} subscribers, who came back ${returns} times after ${disconnects} disconnects and ${kills} kills; caught up after ${caughtUpMs.toFixed(0)} ms`,
      );
      expect(written).toBeGreaterThan(SCALE.perSecond * 5);
      expect(returns).toBeGreaterThan(SCALE.disconnects / 2);
    },
    MAX_MS,
  );
});
