/**
 * A gateway with workers whose embedded store crashes on a message from the parent process. Reports each start of the store.
 */
import cluster from 'node:cluster';
import { readConfig } from '../../src/config.ts';
import type { EmbeddedStore } from '../../src/embedded/index.ts';

if (cluster.isPrimary) {
  const { startWorkers } = await import('../../src/process/workers.ts');
  let store: EmbeddedStore | undefined;
  const giveUp = (error: Error) => {
    console.error(error.message);
    process.exit(1);
  };
  const running = await startWorkers(readConfig(process.env), giveUp, {
    onEmbedded: (started) => {
      store = started;
      process.send?.('started');
    },
  });
  process.on('message', (message) => {
    if (message === 'kill') void store?.kill();
    else void running.close().then(() => process.exit(0));
  });
  process.send?.('ready');
} else {
  await import('../../src/main.ts');
}
