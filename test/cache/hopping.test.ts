import { afterAll, beforeAll, test } from 'vitest';
import { startPair } from './pair.ts';
import { expectExplained, OPERATIONS } from './settings.ts';

let pair: Awaited<ReturnType<typeof startPair>>;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair?.close());

test('two gateways on one store show every client what was acknowledged through either of them', async () => {
  const { gateways, endpoints } = pair;
  await expectExplained({ gateway: gateways[0], endpoints, operations: OPERATIONS });
}, 3_600_000);
