import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '../config.ts';
import { type EmbeddedStore, type EmbeddedStoreOptions, startEmbeddedStore } from '../embedded/index.ts';

/** A store that has served for longer than this did not die early: its death resets the count of early deaths. */
const SERVED_MS = 1_000;
/** Transactions take milliseconds. Those of a worker that died are aborted after this time, which releases their locks. */
const TRANSACTION_LIFETIME_MS = 15_000;
/** Pauses before a restart, by the number of consecutive early deaths. At the next one the supervisor gives up. */
const PAUSES_MS = [0, 1_000, 4_000, 10_000];
/** A start that takes longer is considered hung; only the end of the process frees its resources. */
const START_TIMEOUT_MS = 30_000;

export interface EmbeddedSupervisorOptions {
  store: Omit<EmbeddedStoreOptions, 'onExit'>;
  /** Called when the store has died too often. The process cannot work without it. */
  onGivenUp: (error: Error) => void;
  onRestart?: ((message: string) => void) | undefined;
  /** Only for tests. @default {@link PAUSES_MS} */
  pausesMs?: readonly number[] | undefined;
  /** Called with every store that was started. */
  onStarted?: ((store: EmbeddedStore) => void) | undefined;
}

/**
 * Starts the embedded store and restarts it at the same address whenever its thread dies. Clients reconnect; no
 * acknowledged write is lost.
 *
 * @throws {ConfigError} when the first start fails
 */
export async function superviseEmbeddedStore(
  options: EmbeddedSupervisorOptions,
): Promise<{ uri: string; close(): Promise<void> }> {
  const { onGivenUp, onRestart, onStarted, pausesMs = PAUSES_MS } = options;
  const closing = new AbortController();
  let deaths = 0;
  let restarting: Promise<void> | undefined;
  /** A start that has not finished. It may still succeed after its timeout, and until then holds the folder. */
  let starting: Promise<EmbeddedStore> | undefined;
  let inUse: Promise<EmbeddedStore> | undefined;
  let store = await use(start()).catch((error: Error) => {
    // The message is meant for operators: the folder is in use, or of a newer version.
    throw new ConfigError(error.message);
  });

  function start(): Promise<EmbeddedStore> {
    let servingSince = Number.POSITIVE_INFINITY;
    const begun = startEmbeddedStore({
      transactionLifetimeMs: TRANSACTION_LIFETIME_MS,
      ...options.store,
      onExit(error) {
        if (starting === begun) starting = undefined;
        // A failed start is reported by its promise.
        if (inUse !== begun) return;
        if (performance.now() - servingSince > SERVED_MS) deaths = 0;
        restarting = restart(error);
      },
    });
    const onServing = (started: EmbeddedStore): void => {
      servingSince = performance.now();
      onStarted?.(started);
    };
    begun.then(onServing).catch(() => {
      if (starting === begun) starting = undefined;
    });
    starting = begun;
    return begun;
  }

  async function use(begun: Promise<EmbeddedStore>): Promise<EmbeddedStore> {
    const started = await begun;
    if (starting !== begun) throw new Error('it exited immediately');
    starting = undefined;
    inUse = begun;
    return started;
  }

  async function restart(reason: Error): Promise<void> {
    let error = reason;
    while (!closing.signal.aborted) {
      const wait = pausesMs[deaths];
      deaths += 1;
      if (wait === undefined) {
        onGivenUp(new Error(`The embedded store died ${deaths} times in a row, the last time: ${error.message}`));
        return;
      }
      onRestart?.(`The embedded store died (${error.message}) and is restarted.`);
      try {
        await pause(wait, undefined, { signal: closing.signal });
        const begun = starting ?? start();
        await within(begun, START_TIMEOUT_MS, closing.signal);
        store = await use(begun);
        return;
      } catch (failure) {
        error = failure instanceof Error ? failure : new Error(String(failure));
      }
    }
  }

  return {
    uri: store.uri,
    async close() {
      closing.abort();
      await restarting;
      // A hanging start holds the folder until the process ends; one that succeeds late is closed.
      void starting?.then((late) => late.close()).catch(() => undefined);
      await store.close();
    },
  };
}

async function within<Result>(work: Promise<Result>, milliseconds: number, closing: AbortSignal): Promise<Result> {
  const given = new AbortController();
  const signal = AbortSignal.any([given.signal, closing]);
  const late = pause(milliseconds, undefined, { signal }).then(() => {
    throw new Error(`it did not start within ${milliseconds / 1_000} s`);
  });
  late.catch(() => undefined);
  return Promise.race([work, late]).finally(() => given.abort());
}
