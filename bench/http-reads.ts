import { fillNetwork } from '../src/sample/scale.ts';
import { openStore } from '../src/store/store.ts';
import { BUILT } from './build.ts';
import { COMMUNITIES, communityId, NETWORK_ID, POSTS_EACH, postId, VIEWERS, writeBenchRecords } from './data.ts';
import { type Server, signIn, startGateway, startHandWritten, startServer } from './http-servers.ts';
import { type Call, type Slice, slice } from './load.ts';
import { PAGE_DOCUMENT } from './page.ts';
import { type Program, residentMb } from './process.ts';
import type { Scale } from './settings.ts';
import { median, shuffled } from './stats.ts';

export const SERVERS = ['gateway', 'hand-written', 'Yoga', 'Yoga, plain loaders'] as const;
export type ServerName = (typeof SERVERS)[number];
export type Work = 'REST post' | 'GraphQL page';

/** A page takes much longer than a post, so its slices are longer. */
const LENGTHS: { [Name in Work]: number } = { 'REST post': 1, 'GraphQL page': 2.5 };

interface Variant {
  work: Work;
  connections: number;
  server: ServerName;
}

export interface ReadResult extends Variant, Slice {
  /** Requests per second, as ratios within the same round. */
  ofHandWritten: number;
  ofYoga: number;
  ofPlainYoga: number;
  residentMb: number;
}

function variantsOf(connections: readonly number[]): Variant[] {
  return connections.flatMap((count) => [
    { work: 'REST post', connections: count, server: 'gateway' } as const,
    { work: 'REST post', connections: count, server: 'hand-written' } as const,
    ...SERVERS.map((server) => ({ work: 'GraphQL page', connections: count, server }) as const),
  ]);
}

/** Fills the store with the records of the requests and a network around them. */
export async function fill(uri: string, scale: Scale): Promise<number> {
  const store = await openStore({ uri });
  try {
    const network = { collections: store.collections, networkId: NETWORK_ID };
    const around = scale.fill > 0 ? await fillNetwork({ ...network, scale: scale.fill }) : 0;
    return around + (await writeBenchRecords(network.collections));
  } finally {
    await store.close();
  }
}

/** Measures all servers over one store, in slices in a new order each round. */
export async function measureReads(storeProgram: Program, uri: string, scale: Scale): Promise<ReadResult[]> {
  const variants = variantsOf(scale.connections);
  const servers = await startServers(uri);
  try {
    const calls = callsOf(await signIn(servers.gateway.url));
    await checkAnswers({ servers, calls, variants });
    const warming = variants.filter(({ connections }) => scale.warmUpMs > 0 && connections > 1);
    for (const variant of warming) await measure(variant, scale.warmUpMs);
    const rounds: Array<Map<Variant, Slice>> = [];
    for (let round = 0; round < scale.rounds; round++) {
      const slices = new Map<Variant, Slice>();
      for (const variant of shuffled(variants)) slices.set(variant, await measure(variant, scale.sliceMs));
      rounds.push(slices);
    }
    return variants.map((variant) =>
      summary({ variant, variants, rounds, residentMb: residentMb(servers[variant.server].pid) }),
    );

    function measure({ work, connections, server }: Variant, milliseconds: number): Promise<Slice> {
      const { url, pid } = servers[server];
      const pids = [pid, storeProgram.pid] as const;
      return slice({ url, connections, milliseconds: milliseconds * LENGTHS[work], call: calls[work], pids });
    }
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
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

/** The sequence of requests: the same for every server, with another post or community and viewer each time. */
function callsOf(tokens: readonly string[]): { [Name in Work]: (index: number) => Call } {
  const authorization = tokens.map((token) => `Bearer ${token}`);
  const bodies = Array.from({ length: COMMUNITIES }, (_, index) =>
    JSON.stringify({ query: PAGE_DOCUMENT, variables: { communityId: communityId(index) } }),
  );
  return {
    'REST post': (index) => ({
      method: 'GET',
      // Steps that share no factor with the number of posts visit all of them.
      path: `/api/v3/posts/${postId((index * 7) % (COMMUNITIES * POSTS_EACH))}`,
      headers: { authorization: authorization[index % VIEWERS]! },
    }),
    'GraphQL page': (index) => ({
      method: 'POST',
      path: '/graphql',
      headers: { authorization: authorization[index % VIEWERS]!, 'content-type': 'application/json' },
      body: bodies[index % COMMUNITIES]!,
    }),
  };
}

interface Checked {
  servers: { [Name in ServerName]: Server };
  calls: ReturnType<typeof callsOf>;
  variants: readonly Variant[];
}

/** Ensures that all servers return the same response before they are compared. */
async function checkAnswers({ servers, calls, variants }: Checked): Promise<void> {
  for (const work of ['REST post', 'GraphQL page'] as const) {
    for (const index of [0, 1, 2, 3]) {
      const { path, ...init } = calls[work](index);
      const answers = new Map<ServerName, string>();
      for (const { server } of variants.filter((variant) => variant.work === work)) {
        const response = await fetch(servers[server].url + path, init);
        answers.set(server, canonical(await response.json()));
      }
      for (const [server, answer] of answers) {
        if (answer !== answers.get('gateway'))
          throw new Error(differing(`${work}: ${server} and the gateway`, answer, answers.get('gateway')!));
      }
    }
  }
}

/** JSON with sorted keys and side arrays. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',\n')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${fields.sort().join(',')}}`;
}

function differing(who: string, one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 100);
  return `${who} return different responses:\n${around(one)}\n--- and ---\n${around(other)}`;
}

interface Measured {
  variant: Variant;
  variants: readonly Variant[];
  rounds: ReadonlyArray<Map<Variant, Slice>>;
  residentMb: number;
}

function summary({ variant, variants, rounds, residentMb }: Measured): ReadResult {
  const slices = rounds.map((round) => round.get(variant)!);
  const over = (pick: (slice: Slice) => number) => median(slices.map(pick));
  /** Within one round, so that a slower machine affects both. */
  const relativeTo = (server: ServerName) => {
    const other = variants.find(
      (candidate) =>
        candidate.work === variant.work && candidate.connections === variant.connections && candidate.server === server,
    );
    if (!other) return Number.NaN;
    return median(rounds.map((round) => round.get(variant)!.requestsPerSecond / round.get(other)!.requestsPerSecond));
  };
  return {
    ...variant,
    requestsPerSecond: over((slice) => slice.requestsPerSecond),
    p50: over((slice) => slice.p50),
    p99: over((slice) => slice.p99),
    serverUs: over((slice) => slice.serverUs),
    storeUs: over((slice) => slice.storeUs),
    ofHandWritten: relativeTo('hand-written'),
    ofYoga: relativeTo('Yoga'),
    ofPlainYoga: relativeTo('Yoga, plain loaders'),
    residentMb,
  };
}
