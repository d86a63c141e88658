import { afterAll, beforeAll, test } from 'vitest';
import { CACHES, startFaultyPair } from './pair.ts';
import { expectExplained, OPERATIONS } from './settings.ts';

let pair: Awaited<ReturnType<typeof startFaultyPair>>;
beforeAll(async () => {
  pair = await startFaultyPair(CACHES.off);
});
afterAll(() => pair?.close());

test('without caches, the same operations with the same faults have the same admissible results', async () => {
  const { gateways, endpoints, streams } = pair;
  const [gateway] = gateways;
  await expectExplained({
    gateway,
    endpoints,
    operations: OPERATIONS,
    meanwhile: (random, done) => streams.inject(gateway.services.store.db, random, done),
  });
}, 3_600_000);
