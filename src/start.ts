import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import type { Services } from './context.ts';
import { ensureNetwork } from './domain/network/ensure-network.ts';
import { createTokenSigner } from './domain/session/tokens.ts';
import type { EmbeddedStoreOptions } from './embedded/index.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { type Keys, readKeys } from './keys.ts';
import { insertSampleNetwork } from './sample/insert.ts';
import { writeSampleFiles } from './sample/pictures.ts';
import { openStore, type Store } from './store/store.ts';

export interface Started extends Gateway {
  services: Services;
  keys: Keys;
  /** Where it listens, without a trailing slash. */
  url: string;
  /** Whether the sample network was put in by this start. */
  filled: boolean;
  close(): Promise<void>;
}

export interface StartOptions {
  /** Told when the embedded store has ended by itself. */
  onStoreExit?: (error: Error) => void;
  /** Only for tests: emit the driver's command events. */
  monitorCommands?: boolean;
  /** Only for tests: how the embedded store runs. */
  embedded?: Partial<EmbeddedStoreOptions>;
  /** Only for tests. @default the database of the URI */
  databaseName?: string;
}

/** Starts the whole gateway: keys, store, network, sample data, doors. What was started is closed again on failure. */
export async function start(config: Config, options: StartOptions = {}): Promise<Started> {
  const closers: Array<() => Promise<void>> = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const keys = await readKeys(config);
    const uri = config.MONGODB_URI ?? config.EMBEDDED_STORE_URI ?? (await startEmbedded(config, options, closers));
    const store = await openStore({
      uri,
      monitorCommands: options.monitorCommands,
      databaseName: options.databaseName,
    });
    closers.push(() => store.close());
    const services: Services = {
      config,
      store,
      tokens: createTokenSigner(keys.TOKEN_SECRET),
      publicUrl: config.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://${hostForUrl(config.HOST)}:${config.PORT}`,
      now: () => new Date(),
    };
    await ensureNetwork(store, config, keys, services.now());
    const filled = await fillSample(config, store, services.publicUrl);
    const gateway = await createGateway(services);
    closers.push(() => gateway.server.close());
    const url = await gateway.server.listen({ port: config.PORT, host: config.HOST }).catch(explainListening(config));
    return { ...gateway, services, keys, url, filled, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the embedded store in the data folder and hands out its URI. */
export async function startEmbedded(
  config: Config,
  options: StartOptions,
  closers: Array<() => Promise<void>>,
): Promise<string> {
  const folder = join(config.DATA_DIR, 'store');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { startEmbeddedStore } = await import('./embedded/index.ts');
  const embedded = await startEmbeddedStore({
    folder,
    ...(options.onStoreExit && { onExit: options.onStoreExit }),
    ...options.embedded,
  }).catch((error: Error) => {
    // Written for people: the folder is in use, or of a newer version.
    throw new ConfigError(error.message);
  });
  closers.push(() => embedded.close());
  return embedded.uri;
}

/** Puts the sample network into an empty embedded store, except in production. @returns whether it did */
async function fillSample(config: Config, store: Store, publicUrl: string): Promise<boolean> {
  if (config.SAMPLE_DATA === 'none' || config.MONGODB_URI !== undefined || config.NODE_ENV === 'production')
    return false;
  // Users go in last, so the files are there by the time the network counts as filled.
  if (await store.collections.users.findOne({ networkId: config.NETWORK_ID })) return false;
  await writeSampleFiles(join(config.DATA_DIR, 'files'));
  return insertSampleNetwork({ collections: store.collections, networkId: config.NETWORK_ID, publicUrl });
}

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** What a person can do about an address that cannot be listened on. */
function explainListening({ HOST, PORT }: Config): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === 'EADDRINUSE') throw new ConfigError(`Port ${PORT} is in use: set PORT to another one.`);
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EACCES')
      throw new ConfigError(`Cannot listen on ${HOST}:${PORT}: set HOST and PORT.`);
    throw error;
  };
}
