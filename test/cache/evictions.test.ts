import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKED, startFaultyPair } from './pair.ts';
import { countCached, expectExplained, OPERATIONS } from './settings.ts';

/** About 15 records: fewer than the clients read. */
const CACHE_MB = 1 / 32;

let pair: Awaited<ReturnType<typeof startFaultyPair>>;
beforeAll(async () => {
  pair = await startFaultyPair(CHECKED, CHECKED.CACHE_MB === '0' ? {} : { cacheMb: CACHE_MB });
});
afterAll(() => pair?.close());

test('caches that evict most of what they keep return nothing stale, while change streams fail', async () => {
  const { gateways, endpoints, streams } = pair;
  const [gateway] = gateways;
  const before = countCached();
  await expectExplained({
    gateway,
    endpoints,
    operations: OPERATIONS,
    meanwhile: (random, done) => streams.inject(gateway.services.store.db, random, done),
  });
  if (CHECKED.CACHE_MB === '0') return;
  if (process.env.CACHE_VERBOSE) console.log(streams.counts);
  expect(countCached().evictedRecords).toBeGreaterThan(before.evictedRecords);
}, 3_600_000);
