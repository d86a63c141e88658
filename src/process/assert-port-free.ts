import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigError } from '../config.ts';

/**
 * Checks that the gateway can listen before a start creates files or records. Workers share the port that their primary
 * has checked.
 *
 * @throws {ConfigError} when the address is in use or does not belong to this machine
 */
export async function assertPortFree(config: Config): Promise<void> {
  if (config.PORT === 0 || cluster.isWorker) return;
  const probe = createServer().listen({ port: config.PORT, host: config.HOST });
  try {
    await once(probe, 'listening');
  } catch (error) {
    explainListenError(config)(error as NodeJS.ErrnoException);
  }
  probe.close();
  await once(probe, 'close');
}

/** Rethrows an error of `listen` as a {@link ConfigError} that names the setting to change. */
export function explainListenError({ HOST, PORT }: Config): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === 'EADDRINUSE') throw new ConfigError(`Port ${PORT} is in use: set PORT to another one.`);
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EACCES')
      throw new ConfigError(`Cannot listen on ${HOST}:${PORT}: set HOST and PORT.`);
    throw error;
  };
}
