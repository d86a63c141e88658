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
import { type Call, type Load, slice } from './load.ts';
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
  /** Number of different posts or communities that are requested. */
  items: number;
  /** Requests that fill the caches of the gateway before it is measured. */
  warmUpRequests: number;
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

/** One request for each item, of few items one by each viewer. */
const warmUpOf = (items: number, set: RecordSet): number => (set === FEW ? items * VIEWERS : items);

function worksOf({ connections, many }: Pick<Scale, 'connections' | 'many'>): Work[] {
  const [, concurrent] = connections;
  const postsOf = (set: RecordSet, order: typeof zipf) => {
    const items = set.communities * set.postsEach;
    const at = order('posts', items);
    return { items, warmUpRequests: warmUpOf(items, set), idAt: (place: number) => postId(at(place), set) };
  };
  const communitiesOf = (set: RecordSet) => {
    const at = zipf('communities', set.communities);
    const items = set.communities;
    return { items, warmUpRequests: warmUpOf(items, set), idAt: (place: number) => communityId(at(place), set) };
  };
  const post = { isPage: false, servers: BOTH, connections };
  const page = { isPage: true, servers: BOTH, connections };
  return [
    { ...post, name: READS.few, ...postsOf(FEW, zipf) },
    { ...post, name: READS.many, ...postsOf(many, zipf) },
    { ...post, name: READS.cold, ...postsOf(many, sweep), warmUpRequests: 0 },
    { ...post, name: READS.hot, connections: [concurrent], items: 1, warmUpRequests: 1, idAt: () => postId(0) },
    { ...page, name: READS.page, servers: SERVERS, ...communitiesOf(FEW) },
    { ...page, name: READS.manyPages, ...communitiesOf(many) },
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

/**
 * Measures all servers over one store, in slices in a new order each round. Each kind of read has a gateway of its own,
 * whose caches the other kinds do not change; the other servers have no caches.
 */
export async function measureReads(store: Program & { uri: string }, scale: Scale): Promise<HttpResult[]> {
  const works = worksOf(scale);
  const variants = works.flatMap((kind) =>
    kind.connections.flatMap((connections) =>
      kind.servers.map((server): Variant => ({ work: kind.name, kind, connections, server })),
    ),
  );
  const servers = await startServers(store.uri, works);
  const serverOf = (kind: Work, name: ServerName) => (name === 'gateway' ? servers.gateways.get(kind)! : servers[name]);
  try {
    const tokens = await signIn(serverOf(works[0]!, 'gateway').url);
    const callAt = (kind: Work, place: number) =>
      callOf(kind, { id: kind.idAt(place), token: tokens[place % VIEWERS]! });
    const check = async () => {
      for (const kind of works) {
        for (const place of [0, 1, 2, 3]) {
          const calls = kind.servers.map((name) => [name, serverOf(kind, name).url, callAt(kind, place)] as const);
          await compareAnswers({ work: kind.name, calls });
        }
      }
    };
    await check();
    const [, concurrent] = scale.connections;
    // Every variant continues its own sequence: a sweep reads each post once before it repeats any. Those of one gateway
    // begin at different places.
    const places = new Map(
      variants.map((variant) => [variant, variant.connections === concurrent ? variant.kind.items >> 1 : 0]),
    );
    const load = (variant: Variant, milliseconds = scale.sliceMs) => ({
      url: serverOf(variant.kind, variant.server).url,
      servers: [serverOf(variant.kind, variant.server).pid],
      store: store.pid,
      connections: variant.connections,
      milliseconds: milliseconds * (variant.kind.isPage ? PAGE_LENGTH : 1),
      call: () => {
        const place = places.get(variant)!;
        places.set(variant, place + 1);
        return callAt(variant.kind, place);
      },
    });
    for (const variant of variants) {
      if (scale.warmUpMs === 0 || variant.connections !== concurrent) continue;
      const requests = variant.server === 'gateway' ? variant.kind.warmUpRequests : 0;
      await warmUp(load(variant, scale.warmUpMs), requests);
    }
    const results = await measureHttp({ variants, rounds: scale.rounds, load });
    await check();
    return results;
  } finally {
    const { gateways, ...others } = servers;
    await Promise.all([...gateways.values(), ...Object.values(others)].map((server) => server.stop()));
  }
}

/** Repeats a slice until so many requests were answered, at least once. */
async function warmUp(load: Load, requests: number): Promise<void> {
  let answered = 0;
  do {
    const { requestsPerSecond } = await slice(load);
    answered += (requestsPerSecond * load.milliseconds) / 1_000;
  } while (answered < requests);
}

function callOf({ isPage }: Work, { id, token }: { id: string; token: string }): Call {
  const authorization = `Bearer ${token}`;
  if (!isPage) return { method: 'GET', path: `/api/v3/posts/${id}`, headers: { authorization } };
  const body = JSON.stringify({ query: PAGE_DOCUMENT, variables: { communityId: id } });
  return { method: 'POST', path: '/graphql', headers: { authorization, 'content-type': 'application/json' }, body };
}

interface Servers extends Record<Exclude<ServerName, 'gateway'>, Server> {
  gateways: ReadonlyMap<Work, Server>;
}

async function startServers(uri: string, works: readonly Work[]): Promise<Servers> {
  const [handWritten, yoga, plainYoga, ...gateways] = await Promise.all([
    startHandWritten(uri),
    startServer(`${BUILT}bare-yoga.js`, { uri, ready: '/health' }),
    startServer(`${BUILT}bare-yoga.js`, { uri, ready: '/health', env: { LOADERS: 'plain' } }),
    ...works.map(async (kind) => [kind, await startGateway(uri)] as const),
  ]);
  return { gateways: new Map(gateways), 'hand-written': handWritten, Yoga: yoga, 'Yoga, plain loaders': plainYoga };
}
