import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { type Context, createContext, type Origin } from '../context.ts';
import { unavailability } from '../database-errors.ts';
import { ensureNetwork } from '../domain/network/ensure-network.ts';
import { createTokenSigner } from '../domain/session/tokens.ts';
import { startEmbeddedStore } from '../embedded/index.ts';
import { OperationError } from '../errors.ts';
import { createHub } from '../events/hub.ts';
import { createStorage } from '../files/create-storage.ts';
import { createTextSeal } from '../lib/text-seal.ts';
import { createDataFolder } from '../process/data-folder.ts';
import { readKeys } from '../process/keys.ts';
import { requireProductionSettings } from '../process/production-settings.ts';
import { createStore, type Store } from '../store/store.ts';
import { CliError, storeFolder } from '../store-cli/command.ts';
import { uriOfServedStore } from '../store-cli/served-store.ts';
import { createResolver } from '../webhooks/resolver.ts';

/** Connections to the database: a command of the operator sends few statements. */
const POOL_SIZE = 4;
const AT_THE_COMMAND_LINE: Origin = { transport: 'command', address: null };

/**
 * Runs an operation on the database of the configuration, as the operator of the gateway, who needs no session. On a new
 * installation it creates the network first.
 *
 * @param action name of the act in the audit log
 * @throws CliError for a database that does not answer, and for an operation that fails
 */
export async function asOperator<Result>(
  config: Config,
  action: string,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { uri, close } = await openDatabase(config);
  try {
    const store = createStore({ uri, timeoutMs: config.DATABASE_TIMEOUT_MS, poolSize: POOL_SIZE });
    try {
      const secret = await prepareNetwork(store, config);
      const context = createContext(servicesOf(store, config, secret), null);
      context.origin = AT_THE_COMMAND_LINE;
      context.operation = action;
      return await work(context);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof OperationError) throw new CliError([error.message, ...error.detail].join('\n'));
    const found = unavailability(error);
    throw found ? new CliError(found.message) : error;
  } finally {
    await close();
  }
}

/** The database of the setting, the store that the gateway serves, or else that store, opened for this command. */
async function openDatabase(config: Config): Promise<{ uri: string; close(): Promise<void> }> {
  if (config.MONGODB_URI !== undefined) return { uri: config.MONGODB_URI, close: async () => undefined };
  const folder = storeFolder(config.DATA_DIR);
  const uri = await uriOfServedStore(folder);
  if (uri !== undefined) return { uri, close: async () => undefined };
  await createDataFolder(config.DATA_DIR, 'store');
  return startEmbeddedStore({ folder });
}

/** @returns the secret of tokens */
async function prepareNetwork(store: Store, config: Config): Promise<string> {
  await store.check();
  const keys = await readKeys(config);
  if (!(await store.collections.networks.findOne({ networkId: config.NETWORK_ID }))) {
    requireProductionSettings(config);
    await store.prepare();
    await ensureNetwork(store, config, keys, new Date());
  }
  return keys.TOKEN_SECRET;
}

function servicesOf(store: Store, config: Config, secret: string): Parameters<typeof createContext>[0] {
  return {
    config,
    store,
    files: createStorage(config),
    tokens: createTokenSigner(secret, config.TOKEN_SECRET_ACCEPTED),
    seal: createTextSeal(secret, config.TOKEN_SECRET_ACCEPTED),
    publicUrl: config.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://localhost:${config.PORT}`,
    now: () => new Date(),
    instanceId: randomUUID(),
    resolveHost: createResolver(),
    events: createHub({ db: store.db }),
  };
}
