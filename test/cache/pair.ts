import type { StartOptions } from '../../src/process/start.ts';
import { MAX_WAIT } from '../../src/store/record-cache/waiting-requests.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Endpoint } from './gateways.ts';
import { type FaultyStreams, startFaultyStreams } from './stream-faults.ts';

/** The settings of both caches. */
export const CACHES = {
  on: { CACHE_MB: '64', ANSWER_CACHE_MB: '16' },
  off: { CACHE_MB: '0', ANSWER_CACHE_MB: '0' },
};

/** `CACHE_OFF=1` runs the same checks without caches, to see whether a problem is one of a cache. */
export const CHECKED = process.env.CACHE_OFF ? CACHES.off : CACHES.on;

/** Answers are returned from the cache, as in production; other tests compare them with executed ones. */
export const RETURNED = { knownAnswers: 'returned' } as StartOptions;

/**
 * On a busy machine, changes often take longer than a request waits for them; a MongoDB server may run in an emulator,
 * and reports changes only when they are committed by a majority.
 */
const PATIENT_MS = process.env.MONGODB_URI ? 1_000 : 300;

/**
 * Lets the gateways of this process wait for changes instead of reading the database, so that more is read from caches.
 * @returns a function that ends this
 */
export function waitPatiently(): () => void {
  const { ms } = MAX_WAIT;
  MAX_WAIT.ms = PATIENT_MS;
  return () => {
    MAX_WAIT.ms = ms;
  };
}

export interface Pair {
  gateways: [TestGateway, TestGateway];
  endpoints: Endpoint[];
  close(): Promise<void>;
}

interface PairOptions extends StartOptions {
  /** Connection strings of the gateways. @default the store of this worker, or the server that `MONGODB_URI` names */
  uris?: readonly [string, string];
}

/** Two gateways in this process on one store, each with caches of its own. */
export async function startPair(
  env: Record<string, string> = CHECKED,
  { uris, ...options }: PairOptions = {},
): Promise<Pair> {
  const startOn = (uri: string | undefined, more: Record<string, string>, moreOptions: StartOptions = {}) =>
    startTestGateway(
      { ...env, ...(uri && { MONGODB_URI: uri }), ...more },
      { ...RETURNED, ...options, ...moreOptions },
    );
  const waitBriefly = waitPatiently();
  const first = await startOn(uris?.[0], {});
  const { databaseName } = first.services.store.db;
  const second = await startOn(uris?.[1], { ...first.keys, SAMPLE_DATA: 'none' }, { databaseName });
  return {
    gateways: [first, second],
    endpoints: [first, second].map(({ url }, place) => ({ name: `gateway ${place + 1}`, url })),
    async close() {
      waitBriefly();
      await second.stop();
      await first.close();
    },
  };
}

/** Two gateways in this process, whose change streams suffer faults. */
export async function startFaultyPair(
  env: Record<string, string>,
  options: StartOptions = {},
): Promise<Pair & { streams: FaultyStreams }> {
  const streams = await startFaultyStreams();
  const uris = [streams.near.uri, streams.far.uri] as const;
  const pair = await startPair({ LOG_LEVEL: 'silent', ...env }, { ...options, uris });
  return {
    ...pair,
    streams,
    async close() {
      streams.end();
      await pair.close();
      await streams.close();
    },
  };
}
