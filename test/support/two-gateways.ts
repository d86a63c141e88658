import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { gatewayProgram } from './gateway-process.ts';
import { mutations } from './mutate.ts';

/** Number of concurrent operations; a MongoDB server may run in an emulator. */
export const MANY = process.env.MONGODB_URI ? 30 : 100;

/** A gateway in this process and one in another process on the same store: they share no in-process locks. */
export interface TwoGateways {
  store: TestGateway['services']['store'];
  first: TestGateway;
  /** Addresses of both. */
  urls: readonly [string, string];
  /** Executes operations at one of them. */
  at(url: string): Pick<TestGateway, 'graphql'>;
  /** Executes mutations through both gateways alternately. */
  mutate: ReturnType<typeof mutations>;
  close(): Promise<void>;
}

/** @param env settings of both */
export async function startTwoGateways(env: Record<string, string> = {}): Promise<TwoGateways> {
  const database = await openDatabase();
  const first = await startTestGateway({ MONGODB_URI: database.uri, ...env });
  const program = await gatewayProgram(first);
  const second = await program.start();
  let requests = 0;
  const at: TwoGateways['at'] = (url) => ({
    async graphql(query, { as = 'alice', variables } = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await first.tokenOf(as!)}` },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, ...((await response.json()) as { data: never }) };
    },
  });
  const graphql: TestGateway['graphql'] = (...call) => {
    requests += 1;
    return at(requests % 2 === 0 ? first.url : second.url).graphql(...call);
  };
  return {
    store: first.services.store,
    first,
    urls: [first.url, second.url],
    at,
    mutate: mutations({ graphql }),
    async close() {
      await second.kill();
      await program.remove();
      await first.close();
      await database.close();
    },
  };
}

/** The server that `MONGODB_URI` names, or a separate embedded store. */
export async function openDatabase(): Promise<{ uri: string; close(): Promise<void> }> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) return { uri: MONGODB_URI, close: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-two-'));
  const store = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: true });
  return {
    uri: store.uri,
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
