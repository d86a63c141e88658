import { EJSON } from 'bson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { communityRecord } from '../../src/sample/builders/community.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import { insertSampleNetwork } from '../../src/sample/insert.ts';
import { createPlan, groupOf } from '../../src/sample/scale/plan.ts';
import { generateThread } from '../../src/sample/scale/posts.ts';
import { createRandom, scattered, zipfShares } from '../../src/sample/scale/random.ts';
import { AlreadyFilledError, fillNetwork } from '../../src/sample/scale.ts';
import type { CollectionName } from '../../src/store/collections.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { openTestStore } from '../support/store.ts';

const networkId = 'garden';
/** As in `npm run seed`: a batch takes long on a busy disk. */
const FILL_TIMEOUT_MS = 120_000;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore({ timeoutMs: FILL_TIMEOUT_MS });
});
afterAll(() => store?.close());

const count = (name: CollectionName) => store.collections[name].countDocuments({ networkId });

describe('fillNetwork', () => {
  test(
    'fills a network that contains the sample, and keeps every counter exact',
    async () => {
      await insertSampleNetwork({ collections: store.collections, networkId });
      const before = await count('users');
      const progress: number[] = [];
      const written = await fillNetwork({
        collections: store.collections,
        networkId,
        scale: 1,
        onProgress: (records) => progress.push(records),
      });
      expect(progress.at(-1)).toBe(written);
      expect((await count('users')) - before).toBe(1_000);
      expect(await findInconsistencies(store.db)).toEqual([]);
    },
    process.env.MONGODB_URI ? 900_000 : 600_000,
  );

  test.each([
    ['communities', 50],
    ['posts', 5_000],
    ['comments', 20_000],
    ['reactions', 20_000],
    ['channels', 200],
    ['messages', 20_000],
  ] as const)('creates about as many %s as documented', async (name, documented) => {
    const generated = await count(name);
    expect(generated).toBeGreaterThan(documented * 0.85);
    expect(generated).toBeLessThan(documented * 1.15);
  });

  test('gives a few communities most of the members', async () => {
    const communities = await store.collections.communities
      .find({ networkId })
      .sort({ createdAt: 1, _id: 1 })
      .toArray();
    const sizes = communities.map((community) => community.membersCount).sort((one, other) => other - one);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    expect(sizes.slice(0, 5).reduce((sum, size) => sum + size, 0)).toBeGreaterThan(all * 0.35);
    expect(sizes.at(-5)).toBeLessThan(60);
  });

  test('rejects a network that it has filled before', async () => {
    const again = fillNetwork({ collections: store.collections, networkId, scale: 1 });
    await expect(again).rejects.toThrow(AlreadyFilledError);
  });

  test.each([0, 1.5, -1, Number.NaN, 1_001])('rejects the scale %s', async (scale) => {
    const network = { collections: store.collections, networkId: 'other' };
    await expect(fillNetwork({ ...network, scale })).rejects.toThrow(RangeError);
  });
});

describe('pseudo-random choices of the generator', () => {
  test('are the same for the same name', () => {
    const draw = (name: string) => {
      const random = createRandom(name);
      return Array.from({ length: 5 }, () => random.below(1_000_000));
    };
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  test('distributes exactly the total, most to the first', () => {
    const shares = zipfShares({ total: 20_000, count: 400, exponent: 0.9 });
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(20_000);
    expect(shares[0]).toBeGreaterThan(10 * shares[399]!);
  });

  test('keeps the total when the first shares reach a bound', () => {
    const shares = zipfShares({ total: 20_000, count: 400, exponent: 0.9, most: 500 });
    expect(Math.max(...shares)).toBe(500);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(20_000);
  });

  test('creates the same thread every time', () => {
    const createThread = () => {
      const context = createSampleContext({ networkId, now: new Date(0) });
      const community = communityRecord(context, { communityId: 'c', channelId: 'c', displayName: 'C', userId: 'u' });
      const plan = createPlan(context, 1);
      const people = groupOf(plan, { name: 'people', count: 100 });
      return EJSON.stringify(generateThread({ plan, index: 0, target: { community }, people }));
    };
    expect(createThread()).toBe(createThread());
  });

  test.each([1, 2, 3, 12, 1_000])('shuffles %i places without repetition', (places) => {
    const placeOf = scattered(places, createRandom('scatter'));
    expect(new Set(Array.from({ length: places }, (_, place) => placeOf(place))).size).toBe(places);
  });
});
