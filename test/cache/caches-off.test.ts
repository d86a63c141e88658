import { afterAll, beforeAll, test } from 'vitest';
import { CACHES, startPair } from './pair.ts';
import { expectExplained, OPERATIONS } from './settings.ts';

let pair: Awaited<ReturnType<typeof startPair>>;
beforeAll(async () => {
  pair = await startPair(CACHES.off);
});
afterAll(() => pair?.close());

test('without caches, the same operations have the same admissible results', async () => {
  const endpoints = pair.gateways.map(({ url }, place) => ({ name: `gateway ${place + 1}`, url }));
  await expectExplained({ gateway: pair.gateways[0], endpoints, operations: OPERATIONS });
}, 3_600_000);
