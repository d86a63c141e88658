import cluster, { type Worker } from 'node:cluster';
import { type Config, ConfigError } from './config.ts';
import { readKeys } from './keys.ts';
import { type StartOptions, startEmbedded } from './start.ts';

/** Pauses before a worker is replaced, for worker after worker that dies early; the last one stays. */
const PAUSES_MS = [1_000, 1_000, 2_000, 5_000, 10_000];
/** Workers that live this long do not die early. */
const LIVED_MS = 60_000;

/** Exit code of a worker whose configuration is wrong: another one would end the same way. */
export const IN_VAIN = 78;

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
  const keys = await readKeys(config);
  const uri = config.MONGODB_URI ?? (await startEmbedded(config, { ...options, onStoreExit }, closers));
  let isClosing = false;
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
    if (isClosing) return;
    if (code === IN_VAIN) {
      void close().finally(() => process.exit(1));
      return;
    }
    console.error(`Worker ${worker.process.pid} ended with code ${code}; another takes its place.`);
    if (performance.now() - lastDeath > LIVED_MS) deaths = 0;
    lastDeath = performance.now();
    setTimeout(() => !isClosing && fork('none'), PAUSES_MS[Math.min(deaths, PAUSES_MS.length - 1)]);
    deaths += 1;
  });

  async function close(): Promise<void> {
    isClosing = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => ended(worker!)));
    for (const closer of closers) await closer();
  }
  return { close };
}

function ended(worker: Worker): Promise<void> {
  return new Promise((done) => {
    if (worker.isDead()) return done();
    worker.once('exit', () => done());
    worker.process.kill('SIGTERM');
  });
}
