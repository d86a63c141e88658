import { expect } from 'vitest';
import { cacheEvictions, cacheHits } from '../../src/observe/metrics/definitions.ts';
import { type RunOptions, runClients } from './run.ts';

/** `CACHE_RUNS=50 CACHE_SEED=7` runs fifty seeds from 7; `CACHE_OPERATIONS=500` lets each client do more. */
export const RUNS = Number(process.env.CACHE_RUNS ?? 1);
export const SEED = Number(process.env.CACHE_SEED ?? 1);
export const OPERATIONS = Number(process.env.CACHE_OPERATIONS ?? 15);

/** Runs clients for each seed and requires that the history of all writes explains what they read. */
export async function expectExplained(options: Omit<RunOptions, 'seed'>): Promise<void> {
  const unexplained: string[] = [];
  for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
    const before = countCached();
    const { problems, checked, counts } = await runClients({ ...options, seed });
    const after = countCached();
    if (process.env.CACHE_VERBOSE) console.log(seed, checked, counts, before, after, problems.slice(0, 20).join('\n'));
    // Without answers nothing would be wrong.
    expect(checked).toBeGreaterThan(10 * options.operations);
    // Nor would anything be without the caches.
    if (options.gateway.services.store.records) expect(after.recordHits).toBeGreaterThan(before.recordHits);
    if (problems.length === 0) continue;
    const rerun = `CACHE_SEED=${seed} CACHE_OPERATIONS=${OPERATIONS}: ${problems.length} problems in ${checked} statements`;
    unexplained.push(rerun, ...problems.slice(0, 5));
  }
  expect(unexplained).toEqual([]);
}

/** What the caches of the gateways in this process have found and evicted since it started. */
export function countCached() {
  const totalOf = (counter: typeof cacheHits, name: string) => counter.totalWhere((cache) => cache === name);
  return {
    recordHits: totalOf(cacheHits, 'records'),
    listHits: totalOf(cacheHits, 'lists'),
    answerHits: totalOf(cacheHits, 'answers'),
    evictedRecords: totalOf(cacheEvictions, 'records'),
    evictedLists: totalOf(cacheEvictions, 'lists'),
  };
}
