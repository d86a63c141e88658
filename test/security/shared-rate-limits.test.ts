import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createRateLimits, RateLimitError, type RateLimits } from '../../src/limits/rates/rate-limits.ts';
import { createSharedCounts, type SharedCounts } from '../../src/limits/rates/shared-counts.ts';
import { CACHES, startPair } from '../cache/pair.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const CLIENT = { user: { networkId: 'n', userId: 'u' }, address: '192.0.2.1', apiKey: null, serverKey: null };
const QUERY = '{ viewer { userId } }';

async function started(env: Record<string, string>) {
  const pair = await startPair({
    ...CACHES.off,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'on',
    RATE_LIMIT_COUNTERS: 'database',
    ...env,
  });
  onTestFinished(() => pair.close());
  return pair.gateways;
}

describe('two gateways on one database', () => {
  test('admit a user who alternates between them no more than the limit and one report', async () => {
    const gateways = await started({ RATE_LIMIT_READS: '20' });
    const token = await gateways[0].tokenOf('alice');
    const read = async (at: number) => {
      const answer = await fetch(`${gateways[at % 2]!.url}/api/v3/users/bob`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      return answer;
    };
    let admitted = 0;
    for (let at = 0; at < 30; at += 1) if ((await read(at)).status === 200) admitted += 1;
    expect(admitted).toBeGreaterThanOrEqual(20);
    // A twentieth of the limit for the second process.
    expect(admitted).toBeLessThanOrEqual(21);
    for (const at of [0, 1]) expect((await read(at)).status).toBe(429);
  });

  test('admit concurrent requests to both no more than the limit and one report', async () => {
    const gateways = await started({ RATE_LIMIT_WRITES: '60' });
    await Promise.all(gateways.map((gateway) => gateway.tokenOf('alice')));
    const mutation = 'mutation { followUser(input: { userId: "nobody" }) { __typename } }';
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => gateways[at % 2]!.graphql(mutation)),
    );
    const admitted = answers.filter(({ status }) => status !== 429).length;
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(63);
  });

  test('report the quota of a user on each, also where the user has sent nothing', async () => {
    const [first, second] = await started({ RATE_LIMIT_READS: '20' });
    for (let count = 0; count < 5; count += 1) await first.graphql(QUERY);
    const remaining = async (gateway: typeof first) => {
      const { data } = await gateway.graphql<{ rateLimits: Array<{ class: string; remaining: number }> }>(
        '{ rateLimits { class remaining } }',
      );
      return data.rateLimits.find((limit) => limit.class === 'READ')!.remaining;
    };
    await expect.poll(() => first.services.store.db.collection('rateCounters').findOne()).toMatchObject({ points: 5 });
    expect(await remaining(second)).toBe(14);
    await expect.poll(() => first.services.store.db.collection('rateCounters').findOne()).toMatchObject({ points: 6 });
    expect(await remaining(first)).toBe(13);
  });

  test('write nothing to the database for clients that use little of their limit', async () => {
    const [gateway] = await started({});
    await gateway.graphql(QUERY);
    const commands = await gateway.commandsOf(async () => {
      for (let count = 0; count < 20; count += 1) await gateway.graphql(QUERY);
    });
    expect(new Set(commands)).toEqual(new Set(['find']));
    expect(await gateway.services.store.db.collection('rateCounters').countDocuments()).toBe(0);
  });

  test('store neither a user id nor an address', async () => {
    const [gateway] = await started({ RATE_LIMIT_READS: '10' });
    await gateway.graphql(QUERY);
    await gateway.graphql('{ __typename }', { as: null });
    const counters = gateway.services.store.db.collection('rateCounters');
    await expect.poll(() => counters.countDocuments()).toBe(2);
    const stored = JSON.stringify(await counters.find().toArray());
    expect(stored).not.toMatch(/alice|127\.0\.0|::1/);
  });
});

describe('counts in the database', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.close());

  test('are exact with concurrent reports, also of a count that does not exist yet', async () => {
    const processes = await Promise.all(
      Array.from({ length: 4 }, () => createSharedCounts({ db: store.db, timeoutMs: 60_000 })),
    );
    const reports = Array.from({ length: 40 }, (_, at) => processes[at % 4]!.add('many', 2, 60_000));
    const totals = (await Promise.all(reports)).map((sum) => sum!.total);
    expect(Math.max(...totals)).toBe(80);
    expect(new Set(totals).size).toBe(40);
    expect((await processes[0]!.read(['many', 'none']))!.get('many')!.total).toBe(80);
  });

  test('start again when their window has ended, before the record is removed', async () => {
    const counts = await createSharedCounts({ db: store.db, timeoutMs: 60_000 });
    expect(await counts.add('short', 5, 200)).toMatchObject({ total: 5 });
    await vi.waitUntil(async () => (await counts.read(['short']))!.size === 0);
    const next = await counts.add('short', 1, 60_000);
    expect(next!.total).toBe(1);
    expect(next!.endsInMs).toBeGreaterThan(50_000);
  });
});

/** Counts as the database keeps them, with replies that the test releases. */
function heldCounts() {
  const totals = new Map<string, number>();
  const replies: Array<() => void> = [];
  let isFailing = false;
  const shared: SharedCounts = {
    isAvailable: () => !isFailing,
    async add(key, count) {
      if (isFailing) return null;
      const total = (totals.get(key) ?? 0) + count;
      totals.set(key, total);
      await new Promise<void>((resolve) => replies.push(resolve));
      return { total, endsInMs: 60_000 };
    },
    read: async () => null,
  };
  return {
    shared,
    replies,
    fail(failing: boolean) {
      isFailing = failing;
      for (const reply of replies.splice(0)) reply();
    },
  };
}

function limitsOf(shared: SharedCounts | null, reads: number): RateLimits {
  return createRateLimits({ config: readConfig({ RATE_LIMIT_READS: String(reads) }), shared, now: () => 0 });
}

describe('the guarantee', () => {
  // A linear congruential generator, so that a failure can be repeated.
  const randomFrom = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % below;
    };
  };

  test.each([1, 7, 20, 100, 1_200])(
    'holds for a limit of %i with any order of operations and replies',
    async (limit) => {
      const slack = Math.max(1, Math.floor(limit / 20));
      for (let seed = 1; seed <= (limit > 1_000 ? 4 : 20); seed += 1) {
        const random = randomFrom(seed * 7_919 + limit);
        const { shared, replies } = heldCounts();
        const count = 1 + random(5);
        const processes = Array.from({ length: count }, () => limitsOf(shared, limit));
        let admitted = 0;
        let refused = 0;
        const settled = new Set<Promise<void>>();
        const send = async (limits: RateLimits) => {
          try {
            await limits.charge(CLIENT, [['read', 1]]);
            admitted += 1;
          } catch (error) {
            if (!(error instanceof RateLimitError)) throw error;
            refused += 1;
          }
        };
        for (let step = 0; step < 3 * limit + 20 || replies.length > 0; step += 1) {
          if (step < 3 * limit + 20) settled.add(send(processes[random(count)]!));
          if (random(8) === 0 || step >= 3 * limit + 20) replies.splice(random(Math.max(1, replies.length)), 1)[0]?.();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(settled);
        expect(admitted).toBeGreaterThanOrEqual(limit);
        expect(admitted).toBeLessThanOrEqual(limit + (count - 1) * slack);
        expect(admitted + refused).toBe(3 * limit + 20);
      }
    },
  );

  test('one process admits exactly the limit while its report has no reply', async () => {
    const { shared, replies } = heldCounts();
    const limits = limitsOf(shared, 3);
    const sent = Array.from({ length: 5 }, async () => limits.charge(CLIENT, [['read', 1]]));
    const settled = Promise.allSettled(sent);
    for (let step = 0; step < 20; step += 1) {
      replies.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await settled).map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });
});

describe('while the database fails', () => {
  test('each process counts for itself, and reports what it counted afterwards', async () => {
    const held = heldCounts();
    held.fail(true);
    const [first, second] = [limitsOf(held.shared, 100), limitsOf(held.shared, 100)];
    const read = (limits: RateLimits) => limits.charge(CLIENT, [['read', 1]]);
    for (let count = 0; count < 50; count += 1) await read(first);
    for (let count = 0; count < 99; count += 1) await read(second);
    held.fail(false);
    const last = read(second);
    await vi.waitUntil(() => held.replies.length > 0);
    held.replies.shift()!();
    expect(await last).toMatchObject({ remaining: 0 });
    const waiting = read(first);
    await vi.waitUntil(() => held.replies.length > 0);
    held.replies.shift()!();
    await expect(async () => waiting).rejects.toThrow(RateLimitError);
  });

  test('an operation that waits for a report is admitted when the report fails', async () => {
    const held = heldCounts();
    const limits = limitsOf(held.shared, 5);
    await limits.charge(CLIENT, [['read', 1]]);
    const waiting = limits.charge(CLIENT, [['read', 1]]);
    expect(waiting).toBeInstanceOf(Promise);
    held.fail(true);
    expect(await waiting).toMatchObject({ remaining: 3 });
  });

  test('a count without an answer is given up after the timeout, and tried again a second later', async () => {
    const failures: unknown[] = [];
    const never = new Promise<never>(() => undefined);
    const db = { collection: () => ({ findOneAndUpdate: () => never }) };
    const onFailure = (error: unknown) => failures.push(error);
    const counts = await createSharedCounts({ db: db as never, timeoutMs: 200, onFailure });
    const before = performance.now();
    expect(await counts.add('key', 1, 60_000)).toBeNull();
    expect(performance.now() - before).toBeGreaterThan(190);
    expect(counts.isAvailable()).toBe(false);
    await vi.waitUntil(() => counts.isAvailable(), { timeout: 20_000 });
    expect(await counts.add('key', 1, 60_000)).toBeNull();
    expect(failures).toEqual([expect.objectContaining({ message: 'No reply within 200 ms.' })]);
  });
});
