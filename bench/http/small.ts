import { BUILT } from '../build.ts';
import { VIEWERS } from '../data.ts';
import { installPackages } from '../peers/install.ts';
import type { Program } from '../process.ts';
import type { Scale } from '../settings.ts';
import { compareAnswers } from './answers.ts';
import { type Call, slice } from './load.ts';
import { type HttpResult, measureHttp } from './results.ts';
import { type Server, signIn, startGateway, startServer } from './servers.ts';

const PACKAGES = { 'graphql-jit': '0.8.9', mercurius: '16.10.1', '@apollo/server': '5.5.1' };

/** The other servers by name, with the value of `PEER` and a path that answers 200. */
export const SMALL_PEERS = {
  'node:http and graphql-jit': ['thin', '/'],
  'Mercurius and jit': ['mercurius', '/ready'],
  'Yoga, defaults': ['yoga', '/health'],
  'Apollo, defaults': ['apollo', '/graphql?query=%7B__typename%7D'],
} as const;
type PeerName = keyof typeof SMALL_PEERS;

export const SMALL_WORK = 'small query';
const QUERY = '{ viewer { displayName } }';

/** Compares `viewer { displayName }` with other GraphQL servers over the same schema, session check and loaders. */
export async function measureSmallQueries(store: Program & { uri: string }, scale: Scale): Promise<HttpResult[]> {
  const packages = await installPackages(PACKAGES, { shared: ['graphql'] });
  const [, connections] = scale.connections;
  const servers = new Map<string, Server>([['gateway', await startGateway(store.uri)]]);
  try {
    for (const name of Object.keys(SMALL_PEERS) as PeerName[]) {
      const [peer, path] = SMALL_PEERS[name];
      const env = { PEER: peer, PEER_PACKAGES: packages };
      // Apollo requires a header of requests that a browser could send from another site.
      const ready = { uri: store.uri, ready: path, headers: { 'apollo-require-preflight': '1' }, env };
      servers.set(name, await startServer(`${BUILT}small-peer.js`, ready));
    }
    const tokens = await signIn(servers.get('gateway')!.url);
    const callAt = (place: number): Call => ({
      method: 'POST',
      path: '/graphql',
      headers: { authorization: `Bearer ${tokens[place % VIEWERS]!}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUERY }),
    });
    const check = async () => {
      for (let place = 0; place < VIEWERS; place += 1) {
        const calls = [...servers].map(([name, { url }]) => [name, url, callAt(place)] as const);
        await compareAnswers({ work: SMALL_WORK, calls });
      }
    };
    await check();
    const variants = [...servers.keys()].map((server) => ({ work: SMALL_WORK, connections, server }));
    const load = ({ server }: { server: string }, milliseconds = scale.sliceMs) => {
      const { url, pid } = servers.get(server)!;
      return { url, servers: [pid], store: store.pid, connections, milliseconds, call: callAt };
    };
    if (scale.warmUpMs > 0) for (const variant of variants) await slice(load(variant, scale.warmUpMs));
    const results = await measureHttp({ variants, rounds: scale.rounds, load });
    await check();
    return results;
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}
