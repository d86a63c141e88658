import cluster from 'node:cluster';
import { ConfigError, readConfig } from './config.ts';
import { openMetrics } from './observe/serve-metrics.ts';
import { banner } from './process/banner.ts';
import { growOldGenerationUpTo, growYoungGenerationWithTraffic, holdYoungGeneration } from './process/heap.ts';
import { start } from './process/start.ts';
import { keepMemoryTrimmed } from './process/trim-memory.ts';
import { reportUnknownSettings } from './process/unknown-settings.ts';
import { EX_CONFIG, startWorkers } from './process/workers.ts';

/** Signals within this time count as one: a terminal and `npm` may both send it to this process. */
const SAME_SIGNAL_MS = 1_000;

/** When this process received its first signal, in `performance.now()` time. */
let stoppedAt: number | null = null;

try {
  const config = readConfig(process.env);
  if (cluster.isPrimary)
    for (const line of [...reportUnknownSettings(process.env, config), ...openMetrics(config)]) console.error(line);
  if (config.WORKERS > 1 && cluster.isPrimary) {
    await startWorkers(config, endWithStore, { beforeListening });
  } else {
    const started = await start(config, {
      onStoreExit: endWithStore,
      onOutdated: endOutdated,
      onEmbedded: holdYoungGeneration,
      beforeListening,
    });
    const prepared = await started.prepared;
    growYoungGenerationWithTraffic(started.server.server);
    growOldGenerationUpTo(config.RSS_TARGET_MB * 1_048_576);
    const isFirst = (cluster.worker?.id ?? 1) === 1;
    if (config.NODE_ENV !== 'production' && isFirst) console.log(banner({ ...started, ...prepared, config }));
  }
} catch (error) {
  // A start that fails because the process is being stopped is no error.
  if (stoppedAt === null) {
    console.error(error instanceof ConfigError ? error.message : error);
    // Without `exit`, open handles would keep the process alive.
    process.exit(cluster.isWorker && error instanceof ConfigError ? EX_CONFIG : 1);
  }
}

/** Handles signals before the log says that the gateway listens, because a supervisor that reads it may send one. */
async function beforeListening(close: () => Promise<void>): Promise<void> {
  stopOnSignal(close);
  await keepMemoryTrimmed();
}

/** Finishes requests in progress, then closes the store; a second signal ends the process immediately. */
function stopOnSignal(close: () => Promise<void>): void {
  const stop = () => {
    const now = performance.now();
    if (stoppedAt !== null) {
      // `exit` would wait for a write of the store's thread, which may never end; files on disk stay consistent.
      // A worker is stopped by its primary.
      if (cluster.isPrimary && now - stoppedAt > SAME_SIGNAL_MS) process.kill(process.pid, 'SIGKILL');
      return;
    }
    stoppedAt = now;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
}

/** Finishes requests in progress and ends the process, which a later release has made unusable. A restart cannot help. */
function endOutdated(error: Error, close: () => Promise<void>): void {
  console.error(error.message);
  const end = () => process.exit(cluster.isWorker ? EX_CONFIG : 1);
  close().then(end, end);
}

/** Ends the process when the store dies repeatedly; its supervisor restarts it. */
function endWithStore(error: Error): void {
  console.error(error);
  // `exit` would wait for the store's thread, which may never end.
  process.kill(process.pid, 'SIGKILL');
}
