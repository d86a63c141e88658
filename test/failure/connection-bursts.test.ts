import { createServer } from 'node:http';
import { connect, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { acceptBursts } from '../../src/limits/connections/accept-bursts.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openConnections, requestText } from '../support/raw-client.ts';

const CLIENTS = 300;

let gateway: TestGateway;
let limited: TestGateway;
beforeAll(async () => {
  [gateway, limited] = await Promise.all([
    startTestGateway({ CONNECTIONS_PER_ADDRESS: '0' }),
    startTestGateway({ CONNECTIONS_PER_ADDRESS: '10' }),
  ]);
});
afterAll(() => Promise.all([gateway.close(), limited.close()]));

/** Connects many clients at the same time. */
function connectAll(each: (socket: Socket) => void, to = gateway): Socket[] {
  const { port, hostname } = new URL(to.url);
  const sockets = Array.from({ length: CLIENTS }, () => {
    const socket = connect({ port: Number(port), host: hostname });
    each(socket);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

test('accepts the connections of a burst before it reads most of their requests, and answers all of them', async () => {
  let accepted = 0;
  const acceptedAtRequest: number[] = [];
  const countConnection = () => {
    accepted += 1;
  };
  const countRequest = () => void acceptedAtRequest.push(accepted);
  gateway.server.server.on('connection', countConnection).on('request', countRequest);
  let answers = 0;
  connectAll((socket) => {
    socket.once('data', (data: Buffer) => {
      if (data.includes('200 OK')) answers += 1;
    });
    socket.write(requestText('/healthz'));
  });
  await vi.waitUntil(() => answers === CLIENTS, { timeout: 60_000 });
  gateway.server.server.off('connection', countConnection).off('request', countRequest);
  expect(acceptedAtRequest).toHaveLength(CLIENTS);
  expect(acceptedAtRequest[CLIENTS / 3]).toBeGreaterThan(CLIENTS / 2);
});

test('clients that leave in a burst before their requests are read hold nothing', async () => {
  const before = await openConnections(gateway);
  const sockets = connectAll((socket) => socket.write(requestText('/healthz')));
  for (const socket of sockets) socket.once('connect', () => socket.resetAndDestroy());
  await vi.waitUntil(async () => (await openConnections(gateway)) === before, { timeout: 60_000 });
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});

test('clients that leave in a burst before they are refused do not end the process', async () => {
  const uncaught: Error[] = [];
  const note = (error: Error) => void uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note));
  let accepted = 0;
  limited.server.server.on('connection', () => {
    accepted += 1;
  });
  const sockets = connectAll((socket) => socket.once('connect', () => socket.resetAndDestroy()), limited);
  await vi.waitUntil(() => accepted === sockets.length && sockets.every(({ closed }) => closed), { timeout: 60_000 });
  await vi.waitUntil(async () => (await openConnections(limited)) === 0, { timeout: 60_000 });
  expect(uncaught).toHaveLength(0);
});

test('a connection in every turn of the event loop delays none for longer than a burst', async () => {
  const begunAt = performance.now();
  let turns = 0;
  // Other work takes 10 ms of each turn.
  const now = () => begunAt + turns * 10;
  const clock = vi.spyOn(performance, 'now').mockImplementation(now);
  onTestFinished(() => clock.mockRestore());
  const openedAt = new Map<Socket, number>();
  const waitedMs: number[] = [];
  const server = createServer();
  server.removeAllListeners('connection');
  server.on('connection', (socket) => waitedMs.push(now() - openedAt.get(socket)!));
  acceptBursts(server);
  for (; turns < 1_000; turns += 1) {
    const socket = new Socket();
    openedAt.set(socket, now());
    server.emit('connection', socket);
    await nextTurn();
  }
  expect(waitedMs).toHaveLength(openedAt.size);
  expect(Math.max(...waitedMs)).toBeLessThan(4_000);
});
