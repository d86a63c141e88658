import { ConfigError, readConfig } from './config.ts';
import { type Started, start } from './start.ts';
import { welcome } from './welcome.ts';

try {
  const config = readConfig(process.env);
  const started = await start(config, {
    onStoreExit: (error) => {
      console.error(error);
      process.exit(1);
    },
  });
  if (config.NODE_ENV !== 'production') console.log(welcome(started));
  stopOnSignal(started);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

/** Lets requests under way finish, then closes the store; a second signal ends at once. */
function stopOnSignal({ close }: Started): void {
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
