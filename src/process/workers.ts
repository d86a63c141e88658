import cluster, { type Worker } from 'node:cluster';
import { type Config, ConfigError } from '../config.ts';
import { assertPortFree } from './assert-port-free.ts';
import { explainFullDisk } from './explain-full-disk.ts';
import { readKeys } from './keys.ts';
import { requireProductionSettings } from './production-settings.ts';
import { finishesWithinMs, type StartOptions, startEmbedded } from './start.ts';

/** Pauses before a worker is replaced, for worker after worker that dies early; the last one stays. */
const PAUSES_MS = [1_000, 1_000, 2_000, 5_000, 10_000];
/** Workers that live this long do not die early. */
const LIVED_MS = 60_000;

/** What a worker has to close its store in, once its requests have ended. */
const CLOSES_WITHIN_MS = 5_000;

/** Exit code of a worker whose configuration is wrong: another one would end the same way. */
export const EX_CONFIG = 78;

/**
 * Runs one gateway a core: this process holds the embedded store, the workers connect to it as they would to a
 * cluster and share the port. A worker that dies is started again.
 */
export async function startWorkers(
  config: Config,
  onStoreExit: (error: Error) => void,
  options: Pick<StartOptions, 'embedded' | 'onEmbedded'> = {},
): Promise<{ close(): Promise<void> }> {
  // Workers accept for themselves: what this process hands to one that dies at that moment is answered by nobody.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const closers: Array<() => Promise<void>> = [];
  requireProductionSettings(config);
  await assertPortFree(config);
  const keys = await readKeys(config).catch((error: unknown) => {
    throw explainFullDisk(error, config.DATA_DIR);
  });
  const uri = config.MONGODB_URI ?? (await startEmbedded(config, { ...options, onStoreExit }, closers));
  let closing: Promise<void> | undefined;
  const fork = (sampleData: string): Worker =>
    cluster.fork({ ...keys, SAMPLE_DATA: sampleData, ...(config.MONGODB_URI ? {} : { EMBEDDED_STORE_URI: uri }) });

  // The first worker makes indexes, network and sample data before the others look.
  const first = fork(config.SAMPLE_DATA);
  await new Promise<void>((listening, failed) => {
    first.once('listening', () => listening());
    // It has told why.
    first.once('exit', (code) => failed(new ConfigError(`The first worker ended with code ${code}.`)));
  });
  for (let count = 1; count < config.WORKERS; count += 1) fork('none');
  let deaths = 0;
  let lastDeath = performance.now();
  cluster.on('exit', (worker, code) => {
    if (closing) return;
    if (code === EX_CONFIG) {
      void close().finally(() => process.exit(1));
      return;
    }
    console.error(`Worker ${worker.process.pid} ended with code ${code}; another takes its place.`);
    if (performance.now() - lastDeath > LIVED_MS) deaths = 0;
    lastDeath = performance.now();
    setTimeout(() => closing ?? fork('none'), PAUSES_MS[Math.min(deaths, PAUSES_MS.length - 1)]);
    deaths += 1;
  });

  async function closeAll(): Promise<void> {
    const patienceMs = finishesWithinMs(config) + CLOSES_WITHIN_MS;
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => ended(worker!, patienceMs)));
    for (const closer of closers) await closer();
  }

  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }
  return { close };
}

/** Tells a worker to end, and ends it when it does not. */
function ended(worker: Worker, patienceMs: number): Promise<void> {
  return new Promise((done) => {
    if (worker.isDead()) return done();
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), patienceMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      done();
    });
    worker.process.kill('SIGTERM');
  });
}
