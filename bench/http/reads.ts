import { fillNetwork } from '../../src/sample/scale.ts';
import { openStore } from '../../src/store/store.ts';
import { BUILT } from '../build.ts';
import {
  communityId,
  FEW,
  NETWORK_ID,
  postId,
  type RecordSet,
  VIEWERS,
  writeBenchRecords,
  writeManyCommunities,
} from '../data.ts';
import type { Program } from '../process.ts';
import type { Scale } from '../settings.ts';
import { compareAnswers } from './answers.ts';
import { type Call, slice } from './load.ts';
import { PAGE_DOCUMENT } from './page.ts';
import { type HttpResult, type HttpVariant, measureHttp } from './results.ts';
import { type Server, signIn, startGateway, startHandWritten, startServer } from './servers.ts';
import { sweep, zipf } from './zipf.ts';

/** Yoga is measured only where its figures are of interest: pages of few communities. */
const SERVERS = ['gateway', 'hand-written', 'Yoga', 'Yoga, plain loaders'] as const;
type ServerName = (typeof SERVERS)[number];
const BOTH: readonly ServerName[] = ['gateway', 'hand-written'];

/** One kind of read. */
interface Work {
  name: string;
  isPage: boolean;
  servers: readonly ServerName[];
  connections: readonly number[];
  /** The post or community of each request. */
  idAt: (place: number) => string;
}

/** A page takes much longer than a post, so its slices are longer. */
const PAGE_LENGTH = 2.5;

export const READS = {
  few: 'REST post of few',
  many: 'REST post of many',
  cold: 'REST post of many, cold',
  hot: 'REST post, always the same',
  page: 'page of 20 posts, few communities',
  manyPages: 'page of 20 posts, many communities',
} as const;

function worksOf({ connections, many }: Pick<Scale, 'connections' | 'many'>): Work[] {
  const [, concurrent] = connections;
  const postOf = (set: RecordSet, places: (name: string, count: number) => (place: number) => number) => {
    const at = places('posts', set.communities * set.postsEach);
    return (place: number) => postId(at(place), set);
  };
  const communityOf = (set: RecordSet) => {
    const at = zipf('communities', set.communities);
    return (place: number) => communityId(at(place), set);
  };
  const post = { isPage: false, servers: BOTH, connections };
  const page = { isPage: true, servers: BOTH, connections };
  return [
    { ...post, name: READS.few, idAt: postOf(FEW, zipf) },
    { ...post, name: READS.many, idAt: postOf(many, zipf) },
    { ...post, name: READS.cold, idAt: postOf(many, sweep) },
    { ...post, name: READS.hot, connections: [concurrent], idAt: () => postId(0) },
    { ...page, name: READS.page, servers: SERVERS, idAt: communityOf(FEW) },
    { ...page, name: READS.manyPages, idAt: communityOf(many) },
  ];
}

/** A batch takes a fraction of a second, but the machine may be busy for minutes. */
const FILL_TIMEOUT_MS = 600_000;

/** Fills the store with the records of the requests and a network around them. */
export async function fill(uri: string, scale: Pick<Scale, 'fill'>, many?: RecordSet): Promise<number> {
  const store = await openStore({ uri, timeoutMs: FILL_TIMEOUT_MS });
  try {
    const { collections } = store;
    const around = scale.fill > 0 ? await fillNetwork({ collections, networkId: NETWORK_ID, scale: scale.fill }) : 0;
    const few = await writeBenchRecords(collections);
    return around + few + (many ? await writeManyCommunities(collections, many) : 0);
  } finally {
    await store.close();
  }
}

interface Variant extends HttpVariant {
  server: ServerName;
  kind: Work;
}

/** Measures all servers over one store, in slices in a new order each round. */
export async function measureReads(store: Program & { uri: string }, scale: Scale): Promise<HttpResult[]> {
  const works = worksOf(scale);
  const variants = works.flatMap((kind) =>
    kind.connections.flatMap((connections) =>
      kind.servers.map((server): Variant => ({ work: kind.name, kind, connections, server })),
    ),
  );
  const servers = await startServers(store.uri);
  try {
    const tokens = await signIn(servers.gateway.url);
    const callAt = (kind: Work, place: number) =>
      callOf(kind, { id: kind.idAt(place), token: tokens[place % VIEWERS]! });
    const check = async () => {
      for (const kind of works) {
        for (const place of [0, 1, 2, 3]) {
          const calls = kind.servers.map((name) => [name, servers[name].url, callAt(kind, place)] as const);
          await compareAnswers({ work: kind.name, calls });
        }
      }
    };
    await check();
    // Every variant continues its own sequence: a sweep reads each post once before it repeats any.
    const places = new Map(variants.map((variant) => [variant, 0]));
    const load = (variant: Variant, milliseconds = scale.sliceMs) => ({
      url: servers[variant.server].url,
      servers: [servers[variant.server].pid],
      store: store.pid,
      connections: variant.connections,
      milliseconds: milliseconds * (variant.kind.isPage ? PAGE_LENGTH : 1),
      call: () => {
        const place = places.get(variant)!;
        places.set(variant, place + 1);
        return callAt(variant.kind, place);
      },
    });
    const [, concurrent] = scale.connections;
    const warming = variants.filter(({ connections }) => scale.warmUpMs > 0 && connections === concurrent);
    for (const variant of warming) await slice(load(variant, scale.warmUpMs));
    const results = await measureHttp({ variants, rounds: scale.rounds, load });
    await check();
    return results;
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

function callOf({ isPage }: Work, { id, token }: { id: string; token: string }): Call {
  const authorization = `Bearer ${token}`;
  if (!isPage) return { method: 'GET', path: `/api/v3/posts/${id}`, headers: { authorization } };
  const body = JSON.stringify({ query: PAGE_DOCUMENT, variables: { communityId: id } });
  return { method: 'POST', path: '/graphql', headers: { authorization, 'content-type': 'application/json' }, body };
}

async function startServers(uri: string): Promise<{ [Name in ServerName]: Server }> {
  const [gateway, handWritten, yoga, plainYoga] = await Promise.all([
    startGateway(uri),
    startHandWritten(uri),
    startServer(`${BUILT}bare-yoga.js`, { uri, ready: '/health' }),
    startServer(`${BUILT}bare-yoga.js`, { uri, ready: '/health', env: { LOADERS: 'plain' } }),
  ]);
  return { gateway, 'hand-written': handWritten, Yoga: yoga, 'Yoga, plain loaders': plainYoga };
}
