import { untilIdle } from '../process.ts';
import { median, shuffled } from '../stats.ts';
import { type LoadResult, measureLoad } from './load.ts';
import {
  type Cost,
  costsFromMixes,
  OPERATIONS,
  type Operation,
  requestsPerSecondOf,
  USERS,
  WORKLOAD,
} from './model.ts';
import { createRequests, cycleOf } from './requests.ts';
import type { Bench, Gateway } from './setup.ts';

/** Concurrent requests of a busy gateway. */
export const MANY = 32;
/** Part of the requests that are of one operation, while the others are of the whole mix. */
const PART = 0.5;

/** How many requests a gateway has to serve: those of the smallest number of users, or as many as it answers. */
export type Regime = 'light' | 'busy';
export const REGIMES: readonly Regime[] = ['light', 'busy'];

/** A mix of requests, of which a part may be of one operation. */
export interface Mix {
  regime: Regime;
  operation: Operation | null;
}

/** Sends mixes of requests, each of which continues where it stopped. */
export function createMixes(
  { scale, server }: Bench,
  gateway: Gateway,
  { workers, run }: { workers: number; run: number },
) {
  const requests = createRequests(gateway.tokens, scale.set, run);
  const operations = new Map<Operation | null, () => Operation>();
  for (const operation of [null, ...OPERATIONS]) {
    const cycle = cycleOf(sharesWith(operation), 1_200);
    let count = 0;
    operations.set(operation, () => cycle[count++ % cycle.length]!);
  }
  const send = ({ regime, operation }: Mix, milliseconds?: number): Promise<LoadResult> =>
    measureLoad({
      url: gateway.url,
      connections: MANY * workers,
      next: () => requests[operations.get(operation)!()](),
      gatewayPid: gateway.pid,
      storePid: server.pid,
      ...(regime === 'light'
        ? { milliseconds: milliseconds ?? scale.lightMs, rate: requestsPerSecondOf(USERS[0] * workers) }
        : { milliseconds: milliseconds ?? scale.busyMs }),
    });
  return { requests, send };
}

export type Mixes = ReturnType<typeof createMixes>;

function sharesWith(operation: Operation | null): Record<Operation, number> {
  const shares = WORKLOAD.perMinute;
  if (operation === null) return shares;
  const total = OPERATIONS.reduce((sum, each) => sum + shares[each], 0);
  const mixed = OPERATIONS.map((each) => [each, ((1 - PART) * shares[each]) / total + (each === operation ? PART : 0)]);
  return Object.fromEntries(mixed) as Record<Operation, number>;
}

/**
 * Sends requests until the processes have compiled what they execute often, and their cost no longer falls: the first
 * requests of a process take several times as long.
 */
export async function warmUp({ scale }: Bench, { send }: Mixes, workers: number): Promise<void> {
  const startedAt = performance.now();
  let [least, sent] = [Number.POSITIVE_INFINITY, 0];
  while (performance.now() - startedAt < scale.warmUpMs) {
    const { gatewayUs, requests } = await send({ regime: 'busy', operation: null }, scale.busyMs * 2);
    sent += requests;
    if (sent >= WARM_REQUESTS * workers && gatewayUs > 0.95 * least) return;
    least = Math.min(least, gatewayUs);
  }
}

/** Requests after which a process has compiled what it executes often. */
const WARM_REQUESTS = 3_000;

export type Results = Array<Mix & { cost: LoadResult }>;

/** Measures mixes in rounds, each in another order, so that a change of the machine affects all of them. */
export async function measureMixes(
  { scale }: Bench,
  gateway: Gateway,
  { mixes, of }: { mixes: Mixes; of: ReadonlyArray<Operation | null> },
): Promise<Results> {
  const variants = of.flatMap((operation) => REGIMES.map((regime): Mix => ({ operation, regime })));
  const results = variants.map(() => [] as LoadResult[]);
  for (let round = 0; round < scale.rounds; round += 1) {
    for (const index of shuffled([...variants.keys()])) {
      results[index]!.push(await mixes.send(variants[index]!));
      await untilIdle(gateway);
    }
  }
  return variants.map((variant, index) => {
    const medianOf = (key: keyof LoadResult) => median(results[index]!.map((result) => result[key]));
    const [requests, requestsPerSecond] = [medianOf('requests'), medianOf('requestsPerSecond')];
    const cost = { requests, requestsPerSecond, gatewayUs: medianOf('gatewayUs'), storeUs: medianOf('storeUs') };
    return { ...variant, cost };
  });
}

export function costsIn(results: Results, regime: Regime): Record<Operation, Cost> {
  const costOf = (operation: Operation): Cost =>
    results.find((result) => result.regime === regime && result.operation === operation)!.cost;
  const mixes = Object.fromEntries(OPERATIONS.map((operation) => [operation, costOf(operation)]));
  return costsFromMixes(mixes as Record<Operation, Cost>, { shares: WORKLOAD.perMinute, part: PART });
}
