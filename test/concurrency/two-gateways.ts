import { readConfig } from '../../src/config.ts';
import { type Started, start } from '../../src/start.ts';
import { type FaultyGateway, startFaultyGateway } from '../support/faulty-gateway.ts';
import { signIn } from '../support/gateway.ts';
import { mutations } from '../support/mutate.ts';

/** A real server may be an emulated one. */
export const MANY = process.env.MONGODB_URI ? 30 : 100;

export interface TwoGateways {
  store: Started['services']['store'];
  /** Carries out a mutation as a user, by one gateway or the other; patient with a store that is busy. */
  mutate: ReturnType<typeof mutations>;
  close(): Promise<void>;
}

/** Two gateways over one store, which take no turns with each other. */
export async function startTwoGateways(): Promise<TwoGateways> {
  const faulty: FaultyGateway = await startFaultyGateway({ DATABASE_TIMEOUT_MS: '60000' });
  const { config, store } = faulty.gateway.services;
  const second = await start(readConfig({ ...plain(config), ...faulty.gateway.keys }), {
    databaseName: store.db.databaseName,
  });
  await second.prepared;
  const gateways = [faulty.gateway, second];
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (userId: string) => {
    const token = tokens.get(userId) ?? signIn(faulty.gateway, userId);
    tokens.set(userId, token);
    return token;
  };
  let calls = 0;
  const graphql = async (query: string, { as, variables }: { as?: string | null; variables?: object } = {}) => {
    const { url } = gateways[calls++ % 2]!;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(as ?? 'alice')}` },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, ...((await response.json()) as { data: never }) };
  };
  return {
    store,
    mutate: mutations({ graphql: graphql as never }),
    async close() {
      await second.close();
      await faulty.close();
    },
  };
}

/** A configuration as it stood in the environment. */
function plain(config: object): Record<string, string> {
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
