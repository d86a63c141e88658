import cluster, { type Worker } from 'node:cluster';
import type { Config } from './config.ts';
import { readKeys } from './keys.ts';
import { startEmbedded } from './start.ts';

/** A worker that dies at once would otherwise be started again without end. */
const RESTART_AFTER_MS = 1_000;

/**
 * Runs one gateway a core: this process holds the embedded store, the workers connect to it as they would to a
 * cluster and share the port. A worker that dies is started again.
 */
export async function startWorkers(
  config: Config,
  onStoreExit: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  const closers: Array<() => Promise<void>> = [];
  const keys = await readKeys(config);
  const uri = config.MONGODB_URI ?? (await startEmbedded(config, { onStoreExit }, closers));
  let isClosing = false;
  const fork = (sampleData: string): Worker =>
    cluster.fork({ ...keys, SAMPLE_DATA: sampleData, ...(config.MONGODB_URI ? {} : { EMBEDDED_STORE_URI: uri }) });

  // The first worker makes indexes, network and sample data before the others look.
  const first = fork(config.SAMPLE_DATA);
  await new Promise<void>((listening, failed) => {
    first.once('listening', () => listening());
    first.once('exit', (code) => failed(new Error(`The first worker ended with code ${code}.`)));
  });
  for (let count = 1; count < config.WORKERS; count += 1) fork('none');
  cluster.on('exit', (worker, code) => {
    if (isClosing) return;
    console.error(`Worker ${worker.process.pid} ended with code ${code}; another takes its place.`);
    setTimeout(() => !isClosing && fork('none'), RESTART_AFTER_MS);
  });

  return {
    async close() {
      isClosing = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => ended(worker!)));
      for (const closer of closers) await closer();
    },
  };
}

function ended(worker: Worker): Promise<void> {
  return new Promise((done) => {
    if (worker.isDead()) return done();
    worker.once('exit', () => done());
    worker.process.kill('SIGTERM');
  });
}
