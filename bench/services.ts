import type { Db } from 'mongodb';
import { readConfig } from '../src/config.ts';
import type { Services } from '../src/context.ts';
import { createTokenSigner } from '../src/domain/session/tokens.ts';
import { createHub } from '../src/events/hub.ts';
import { createStorage } from '../src/files/create-storage.ts';
import { createTextSeal } from '../src/lib/text-seal.ts';
import type { Batcher, BatchSource } from '../src/store/batcher.ts';
import type { Find } from '../src/store/find.ts';
import { createBatchers } from '../src/store/loaders.ts';
import { openStore } from '../src/store/store.ts';
import { createResolver } from '../src/webhooks/resolver.ts';

/**
 * The parts that compared servers share with a gateway: driver settings, indexes, tokens.
 *
 * @param options.cacheMb of the record cache
 */
export async function openServices({ cacheMb = 0 } = {}): Promise<Services> {
  const config = readConfig(process.env);
  const store = await openStore({ uri: config.MONGODB_URI!, cacheMb });
  process.once('SIGTERM', () => void store.close().then(() => process.exit(0)));
  return {
    config,
    store,
    files: createStorage(config),
    tokens: createTokenSigner(config.TOKEN_SECRET!),
    seal: createTextSeal(config.TOKEN_SECRET!),
    publicUrl: config.PUBLIC_URL!,
    now: () => new Date(),
    instanceId: 'bench',
    resolveHost: createResolver(),
    events: createHub({ db: store.db }),
  };
}

/**
 * Plain loaders: the loads of one request in one tick are one command, and every record is decoded each time.
 * @param db for servers that wait for a connection without a deadline; @default the gateway's
 */
export function withPlainLoaders(services: Services, db: Db = services.store.db): Services {
  const { store } = services;
  const find: Find = async (name, filter) => (await db.collection(name).find(filter).toArray()) as never;
  return { ...services, store: { ...store, batchers: createBatchers(find, store.roleCache, null, plainBatcher) } };
}

function plainBatcher<Key, Value>({ keyOf, fetch }: BatchSource<Key, Value>): Batcher<Key, Value> {
  const loadMany = async (networkId: string, keys: readonly Key[]) => {
    const found = await fetch(networkId, [...keys]);
    return keys.map((key) => found.get(keyOf(key)) ?? null);
  };
  return { keyOf, loadMany, load: async (networkId, key) => (await loadMany(networkId, [key]))[0] ?? null };
}
