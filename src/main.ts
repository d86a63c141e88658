import cluster from 'node:cluster';
import { ConfigError, readConfig } from './config.ts';
import { start } from './start.ts';
import { welcome } from './welcome.ts';
import { startWorkers } from './workers.ts';

try {
  const config = readConfig(process.env);
  if (config.WORKERS > 1 && cluster.isPrimary) {
    stopOnSignal(await startWorkers(config, endWithStore));
  } else {
    const started = await start(config, { onStoreExit: endWithStore });
    if (config.NODE_ENV !== 'production' && (cluster.worker?.id ?? 1) === 1) console.log(welcome(started));
    stopOnSignal(started);
    await started.warm();
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

/** Lets requests under way finish, then closes the store; a second signal ends at once. */
function stopOnSignal({ close }: { close(): Promise<void> }): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1));
      close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

/** Without its store the gateway can promise nothing; whoever supervises it starts it again. */
function endWithStore(error: Error): void {
  console.error(error);
  process.exit(1);
}
