import cluster from 'node:cluster';
import { ConfigError, readConfig } from './config.ts';
import { banner } from './process/banner.ts';
import { start } from './process/start.ts';
import { keepMemoryTrimmed } from './process/trim-memory.ts';
import { reportUnknownSettings } from './process/unknown-settings.ts';
import { EX_CONFIG, startWorkers } from './process/workers.ts';
import { growYoungGenerationWithTraffic, holdYoungGeneration } from './process/young-generation.ts';

/** Whoever sends a signal to a whole group may send it to us as well, and so does `npm`: that is one signal. */
const SAME_SIGNAL_MS = 1_000;

let stoppedAt: number | null = null;

try {
  const config = readConfig(process.env);
  if (cluster.isPrimary) for (const line of reportUnknownSettings(process.env, config)) console.error(line);
  if (config.WORKERS > 1 && cluster.isPrimary) {
    stopOnSignal(await startWorkers(config, endWithStore));
    await keepMemoryTrimmed();
  } else {
    const started = await start(config, {
      onStoreExit: endWithStore,
      onEmbedded: holdYoungGeneration,
      beforeListening: keepMemoryTrimmed,
    });
    stopOnSignal(started);
    const { filled } = await started.prepared;
    growYoungGenerationWithTraffic(started.server.server);
    const isFirst = (cluster.worker?.id ?? 1) === 1;
    if (config.NODE_ENV !== 'production' && isFirst) console.log(banner({ ...started, filled, config }));
  }
} catch (error) {
  // What was still being prepared when the process was told to stop has failed because of that.
  if (stoppedAt === null) {
    console.error(error instanceof ConfigError ? error.message : error);
    // What was opened meanwhile would keep the process alive.
    process.exit(cluster.isWorker && error instanceof ConfigError ? EX_CONFIG : 1);
  }
}

/** Lets requests under way finish, then closes the store; a second signal ends at once. */
function stopOnSignal({ close }: { close(): Promise<void> }): void {
  const stop = () => {
    const now = performance.now();
    if (stoppedAt !== null) {
      // An exit would wait for a write of the store's thread, which may never end; what is on disk stays whole.
      // A worker is ended by its primary, or by the primary's end.
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

/** A store that dies over and over is not mended from here; whoever supervises the process starts it again. */
function endWithStore(error: Error): void {
  console.error(error);
  // An exit would wait for the store's thread, which may never end.
  process.kill(process.pid, 'SIGKILL');
}
