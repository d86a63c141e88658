import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { isFullLoad } from '../support/full-load.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { limitLive } from '../support/live-limits.ts';
import { openConnections } from '../support/raw-client.ts';
import { type RawSocket, rawSocket } from '../support/raw-socket.ts';

const SOCKETS = isFullLoad ? 5_000 : 300;
vi.setConfig({ testTimeout: 600_000 });
limitLive({ perUser: 10_000, subscriptionsPerUser: 10_000 });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ CONNECTIONS_PER_ADDRESS: '0' });
});
afterAll(() => gateway.close());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapMb = () => {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
};

async function openAll(count: number): Promise<RawSocket[]> {
  const token = await gateway.tokenOf('alice');
  const sockets: RawSocket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(50, count - sockets.length) }, async () => {
      const raw = await (await rawSocket(gateway.url)).init(token);
      raw.send({ id: '1', type: 'subscribe', payload: { query: 'subscription { postUpdated { path } }' } });
      return raw;
    });
    sockets.push(...(await Promise.all(batch)));
  }
  return sockets;
}

/** Opens subscribed sockets and destroys their connections without a close frame. */
async function openAndDestroy(count: number): Promise<{ held: number }> {
  const sockets = await openAll(count);
  expect(gateway.server.websocketServer.clients.size).toBe(count);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  await emit(gateway, [postUpdated('to-all')]);
  await vi.waitUntil(() => sockets.every(({ messages }) => messages.some(({ type }) => type === 'next')), {
    timeout: 120_000,
    interval: 100,
  });
  const held = heapMb();
  for (const { socket } of sockets) socket.terminate();
  await vi.waitUntil(() => gateway.server.websocketServer.clients.size === 0, { timeout: 120_000, interval: 50 });
  return { held };
}

test('frees the memory of thousands of idle sockets that are cut, and keeps serving', async () => {
  // Warm up the caches.
  await openAndDestroy(50);
  const before = heapMb();
  const { held } = await openAndDestroy(SOCKETS);
  await vi.waitUntil(async () => (await openConnections(gateway)) < 10, { timeout: 30_000 });
  const after = heapMb();
  if (isFullLoad) {
    const rss = process.memoryUsage().rss / 1_048_576;
    console.log(
      `${SOCKETS} sockets: heap ${before.toFixed()} → ${held.toFixed()} → ${after.toFixed()} MiB, RSS ${rss.toFixed()} MiB`,
    );
  }
  // The process holds both ends of each socket; a leak would exceed this by far.
  expect(after - before).toBeLessThan(10 + SOCKETS * 0.002);
  expect((await gateway.rest('/api/v3/posts/seedlings')).status).toBe(200);
});
