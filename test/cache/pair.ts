import type { StartOptions } from '../../src/process/start.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** The settings of both caches. */
export const CACHES = {
  on: { CACHE_MB: '64', ANSWER_CACHE_MB: '16' },
  off: { CACHE_MB: '0', ANSWER_CACHE_MB: '0' },
};

/** `CACHE_OFF=1` runs the same checks without caches, to see whether a problem is one of a cache. */
export const CHECKED = process.env.CACHE_OFF ? CACHES.off : CACHES.on;

/** Answers are returned from the cache, as in production; other tests compare them with executed ones. */
export const RETURNED = { knownAnswers: 'returned' } as StartOptions;

/** Two gateways in this process on one store, each with caches of its own. */
export async function startPair(
  env: Record<string, string> = CHECKED,
): Promise<{ gateways: [TestGateway, TestGateway]; close(): Promise<void> }> {
  const first = await startTestGateway(env, RETURNED);
  const { databaseName } = first.services.store.db;
  const second = await startTestGateway({ ...env, ...first.keys, SAMPLE_DATA: 'none' }, { ...RETURNED, databaseName });
  return {
    gateways: [first, second],
    async close() {
      await second.close();
      await first.close();
    },
  };
}
