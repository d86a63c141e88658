import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Config, ConfigError } from '../config.ts';
import type { Services } from '../context.ts';
import { unavailability } from '../database-errors.ts';
import { checkNetworkKeys, ensureNetwork, type KeySetting } from '../domain/network/ensure-network.ts';
import type { Gateway } from '../gateway.ts';
import { insertSampleNetwork } from '../sample/insert.ts';
import { writeSampleFiles } from '../sample/pictures.ts';
import type { Store } from '../store/store.ts';
import type { Keys } from './keys.ts';

export interface Prepared {
  /** Whether this start inserted the sample network. */
  filled: boolean;
  /** Settings whose key is refused, because it was rotated or retired. */
  refusedKeys: readonly KeySetting[];
}

/** Time after which a start that waits for the event log is reported. */
const LOG_MS = 10_000;

/** Prepares the database: collections and indexes, the configured network, sample data. Idempotent. */
export async function prepareStore(services: Services, keys: Keys, log: Gateway['server']['log']): Promise<Prepared> {
  const { store, config, now } = services;
  await store.prepare((message) => log.info(message));
  const onWarning = (message: string) => log.warn(message);
  const refusedKeys = await ensureNetwork(store, config, keys, now(), { onWarning });
  const filled = await fillSample(config, store);
  await untilLogIsRead(services, log);
  store.availability.open();
  return { filled, refusedKeys };
}

/** Subscribers would miss events, and ends of sessions, that are written before the log is read. */
async function untilLogIsRead({ events }: Services, log: Gateway['server']['log']): Promise<void> {
  const reported = setTimeout(() => {
    log.warn({ err: events.lastError }, 'waiting for the event log, requests are refused until then');
  }, LOG_MS);
  await events.ready().finally(() => clearTimeout(reported));
}

/** Maximum time that a start waits for the checks of a database that is slow or unavailable. */
const CHECK_MS = 5_000;

/**
 * Refuses a configuration that can never work before the gateway listens. A database that does not answer in time is
 * checked again while it is prepared.
 *
 * @throws {ConfigError} for a database that can never be used, and for a key of another network
 */
export async function checkStore({ store, config }: Services, keys: Keys): Promise<null> {
  const check = async () => {
    await store.check();
    await checkNetworkKeys(store, config, keys);
  };
  const checked = check().catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
  });
  const waited = new AbortController();
  await Promise.race([checked, pause(CHECK_MS, undefined, { signal: waited.signal })]).finally(() => waited.abort());
  // A check that ends later is repeated while the database is prepared.
  checked.catch(() => undefined);
  return null;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Prepares the database as soon as it is available, without a time limit. Rejects when waiting cannot help. */
export async function prepareWhenAvailable(
  prepare: () => Promise<Prepared>,
  { server: { log } }: Gateway,
  stopped: AbortSignal,
): Promise<Prepared> {
  let reported = '';
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      const prepared = await prepare();
      if (reported) log.info('the database is available: requests are served');
      return prepared;
    } catch (error) {
      const found = unavailability(error);
      if (stopped.aborted || !found) throw error;
      const reason = found.cause instanceof Error ? found.cause.message : found.message;
      if (reason !== reported) log.warn(`waiting for the database, requests are refused until then: ${reason}`);
      reported = reason;
    }
    await pause(wait, undefined, { signal: stopped, ref: false });
  }
}

/** Inserts the sample network into an empty embedded store, except in production. @returns whether it did */
async function fillSample(config: Config, store: Store): Promise<boolean> {
  if (config.SAMPLE_DATA === 'none' || config.MONGODB_URI !== undefined || config.NODE_ENV === 'production')
    return false;
  // Sample users are inserted last: when they exist, the files do, too.
  if (await store.collections.users.findOne({ networkId: config.NETWORK_ID })) return false;
  await writeSampleFiles(join(config.DATA_DIR, 'files'));
  return insertSampleNetwork({ collections: store.collections, networkId: config.NETWORK_ID });
}
