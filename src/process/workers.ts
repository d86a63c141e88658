import cluster, { type Worker } from 'node:cluster';
import { type Config, ConfigError } from '../config.ts';
import { relayReports } from '../observe/all-processes.ts';
import { assertPortFree } from './assert-port-free.ts';
import { finishesWithinMs } from './close-server.ts';
import { explainFullDisk } from './explain-full-disk.ts';
import { readKeys } from './keys.ts';
import { requireProductionSettings } from './production-settings.ts';
import { observeProcess, type StartOptions, startEmbedded } from './start.ts';

/** Pauses before a worker is replaced, by the number of consecutive early deaths; the last pause applies to all further ones. */
const PAUSES_MS = [1_000, 1_000, 2_000, 5_000, 10_000];
/** A worker that ran for this long did not die early. */
const STABLE_MS = 60_000;

/** Time that a worker needs to close its store after its requests have ended. */
const STORE_CLOSE_MS = 5_000;

/** Exit code of a worker with an invalid configuration (sysexits.h), which is not restarted: it would fail again. */
export const EX_CONFIG = 78;

/**
 * Runs `WORKERS` gateway processes that share the port. This process holds the embedded store, to which the workers
 * connect as to a MongoDB server. A worker that dies is replaced.
 */
export async function startWorkers(
  config: Config,
  onStoreExit: (error: Error) => void,
  options: Pick<StartOptions, 'embedded' | 'onEmbedded' | 'beforeListening'> = {},
): Promise<{ close(): Promise<void> }> {
  // Workers accept connections themselves: a connection that this process handed to a dying worker would be lost.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const closers: Array<() => Promise<void>> = [];
  requireProductionSettings(config);
  await assertPortFree(config);
  const keys = await readKeys(config).catch((error: unknown) => {
    throw explainFullDisk(error, config.DATA_DIR);
  });
  relayReports();
  await observeProcess(config, closers);
  const uri = config.MONGODB_URI ?? (await startEmbedded(config, { ...options, onStoreExit }, closers));
  let closing: Promise<void> | undefined;
  const fork = (sampleData: string): Worker =>
    cluster.fork({ ...keys, SAMPLE_DATA: sampleData, ...(config.MONGODB_URI ? {} : { EMBEDDED_STORE_URI: uri }) });

  await options.beforeListening?.(close);
  // The first worker creates indexes, network and sample data before the others start.
  const first = fork(config.SAMPLE_DATA);
  await new Promise<void>((listening, failed) => {
    first.once('listening', () => listening());
    // The worker has printed the reason.
    first.once('exit', (code) => failed(new ConfigError(`The first worker exited with code ${code}.`)));
  });
  if (!closing) for (let count = 1; count < config.WORKERS; count += 1) fork('none');
  let deaths = 0;
  let lastDeath = performance.now();
  cluster.on('exit', (worker, code) => {
    if (closing) return;
    if (code === EX_CONFIG) {
      void close().finally(() => process.exit(1));
      return;
    }
    console.error(`Worker ${worker.process.pid} exited with code ${code} and is replaced.`);
    if (performance.now() - lastDeath > STABLE_MS) deaths = 0;
    lastDeath = performance.now();
    setTimeout(() => closing ?? fork('none'), PAUSES_MS[Math.min(deaths, PAUSES_MS.length - 1)]);
    deaths += 1;
  });

  async function closeAll(): Promise<void> {
    const timeoutMs = finishesWithinMs(config) + STORE_CLOSE_MS;
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => stopWorker(worker!, timeoutMs)));
    for (const closer of closers) await closer();
  }

  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }
  return { close };
}

/** Stops a worker with SIGTERM, and with SIGKILL when it does not exit within `timeoutMs`. */
function stopWorker(worker: Worker, timeoutMs: number): Promise<void> {
  return new Promise((done) => {
    if (worker.isDead()) return done();
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      done();
    });
    worker.process.kill('SIGTERM');
  });
}
