import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postRecord } from '../src/sample/builders/content.ts';
import { createSampleContext } from '../src/sample/context.ts';
import { createRandom } from '../src/sample/scale/random.ts';
import { sentence } from '../src/sample/scale/words.ts';
import type { Collections } from '../src/store/collections.ts';
import type { PostRecord } from '../src/store/records/content.ts';
import { entriesOf } from '../src/store/search/entries.ts';
import { openStore } from '../src/store/store.ts';
import { communityId, NETWORK_ID, viewerId, writeBenchRecords } from './data.ts';
import { type Call, slice } from './http/load.ts';
import { type Server, signIn, startGateway, startGatewayWithoutIndex } from './http/servers.ts';
import { median, shuffled } from './stats.ts';
import { startStore } from './store/servers.ts';
import { table } from './table.ts';

/** Sizes and durations of the measurement of search. */
export interface SearchScale {
  /** Posts in the small and in the large network. */
  posts: readonly [number, number];
  rounds: number;
  sliceMs: number;
}

/** The number of posts with each rare word, in both networks. */
const OF_RARE_WORD = 20;
const RARE_WORDS = 50;
/** One of so many posts has each common word. */
const COMMON_WORDS = 100;
/** Posts per insert, each with about 60 index keys. */
const BATCH = 200;
/** Concurrent inserts, which the store commits together. */
const BATCHES = 2;
/** A batch takes a fraction of a second, but the machine may be busy for minutes. */
const FILL_TIMEOUT_MS = 600_000;
/** The large network may take at most so many times as long. */
const MAX_RATIO = 1.3;
/** Posts of twelve words: at least this part of the requests/s without the index remain. */
const MIN_WRITES = 0.6;
const WRITERS = [1, 32] as const;

const QUERIES = {
  'a word in 20 posts': (index: number) => `rare${letters(index % RARE_WORDS)}`,
  'a word in 1 % of all posts': (index: number) => `common${letters(index % COMMON_WORDS)}`,
  'the beginning of rare words': (index: number) => `rare${letters(index % RARE_WORDS)}`.slice(0, -1),
  'a rare and a frequent word': (index: number) => `the rare${letters(index % RARE_WORDS)}`,
} satisfies { [name: string]: (index: number) => string };

type QueryName = keyof typeof QUERIES;

export interface SearchResult {
  query: QueryName;
  /** Milliseconds in the small and the large network. */
  small: number;
  large: number;
  /** The median ratio of the rounds. */
  ratio: number;
}

/** What the index costs `createPost`. */
export interface IndexCost {
  /** Posts in the network. */
  posts: number;
  connections: number;
  /** Requests per second with and without the index. */
  indexed: number;
  plain: number;
  /** The median ratio of the rounds. */
  ratio: number;
}

export interface SearchReport {
  posts: readonly [number, number];
  results: SearchResult[];
  writes: IndexCost[];
  faults: string[];
}

interface Network {
  store: Awaited<ReturnType<typeof startStore>>;
  gateway: Server;
  tokens: string[];
}

/** Measures one search at a time in networks of two sizes, alternating between them. */
export async function measureSearch(
  { posts, rounds, sliceMs }: SearchScale,
  progress: (step: string) => void,
): Promise<SearchReport> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const networks: Network[] = [];
  try {
    for (const count of posts) {
      const store = await startStore(join(folder, String(count)));
      await fill(store.uri, count);
      progress(`${count.toLocaleString('en')} posts written`);
      const gateway = await startGateway(store.uri);
      networks.push({ store, gateway, tokens: await signIn(gateway.url) });
    }
    const times = new Map<QueryName, Array<[small: number, large: number]>>();
    // The first round only warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const query of shuffled(Object.keys(QUERIES) as QueryName[])) {
        const pair: [number, number] = [Number.NaN, Number.NaN];
        for (const place of shuffled([0, 1])) pair[place] = await timeOf(networks[place]!, query, sliceMs);
        if (round > 0) times.set(query, [...(times.get(query) ?? []), pair]);
      }
    }
    const results = [...times].map(([query, pairs]) => ({
      query,
      small: median(pairs.map(([small]) => small)),
      large: median(pairs.map(([, large]) => large)),
      ratio: median(pairs.map(([small, large]) => large / small)),
    }));
    progress('writes with and without the index');
    const writes: IndexCost[] = [];
    for (const [place, network] of networks.entries())
      writes.push(...(await measureIndexCost(network, { posts: posts[place]!, rounds, sliceMs })));
    const faults = [
      ...results
        .filter(({ ratio }) => ratio > MAX_RATIO)
        .map(({ query, ratio }) => `Search for ${query} takes ${ratio.toFixed(2)} times as long in the large network.`),
      ...writes
        .filter(({ ratio }) => ratio < MIN_WRITES)
        .map(
          ({ posts: count, connections, ratio }) =>
            `Only ${ratio.toFixed(2)} of the writes remain at ${connections} connections, in a network of ${count} posts.`,
        ),
    ];
    return { posts, results, writes, faults };
  } finally {
    for (const { gateway, store } of networks) {
      await gateway.stop();
      await store.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures `createPost` with and without the index in one network, alternating between them. */
async function measureIndexCost(
  { store, tokens }: Network,
  { posts, rounds, sliceMs }: Pick<SearchScale, 'rounds' | 'sliceMs'> & { posts: number },
): Promise<IndexCost[]> {
  const gateways: Server[] = [];
  try {
    for (const startOne of [startGateway, startGatewayWithoutIndex]) gateways.push(await startOne(store.uri));
    const random = createRandom('writes');
    const query =
      'mutation ($input: CreatePostInput!) { createPost(input: $input) { ... on CreatePostPayload { post { postId } } } }';
    const call = (index: number) => ({
      method: 'POST' as const,
      path: '/graphql',
      headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query,
        variables: {
          input: { targetType: 'COMMUNITY', targetId: communityId(index), data: { text: sentence(random, 12) } },
        },
      }),
    });
    for (const [place, gateway] of gateways.entries()) await checkIndex(store.uri, gateway, call(0), place === 0);
    const costs: IndexCost[] = [];
    for (const connections of WRITERS) {
      const pairs: Array<[indexed: number, plain: number]> = [];
      for (let round = 0; round <= rounds; round++) {
        const pair: [number, number] = [Number.NaN, Number.NaN];
        for (const place of shuffled([0, 1])) {
          const { url, pid } = gateways[place]!;
          const { requestsPerSecond } = await slice({
            url,
            connections,
            milliseconds: sliceMs,
            call,
            servers: [pid],
            store: store.pid,
          });
          pair[place] = requestsPerSecond;
        }
        if (round > 0) pairs.push(pair);
      }
      costs.push({
        posts,
        connections,
        indexed: median(pairs.map(([indexed]) => indexed)),
        plain: median(pairs.map(([, plain]) => plain)),
        ratio: median(pairs.map(([indexed, plain]) => indexed / plain)),
      });
    }
    return costs;
  } finally {
    for (const gateway of gateways) await gateway.stop();
  }
}

/** Creates a post, and checks that it has an entry of search, or none. */
async function checkIndex(uri: string, { url }: Server, { path, ...request }: Call, isIndexed: boolean): Promise<void> {
  const response = await fetch(`${url}${path}`, request);
  const { data } = (await response.json()) as { data?: { createPost: { post?: { postId: string } } } };
  const recordId = data?.createPost.post?.postId;
  if (!recordId) throw new Error('No post was created.');
  const store = await openStore({ uri });
  try {
    const entry = await store.collections.searchEntries.findOne({ networkId: NETWORK_ID, recordId, kind: 'post' });
    if ((entry !== null) !== isIndexed)
      throw new Error(`The new post ${isIndexed ? 'has no entry' : 'has an entry'} of search.`);
  } finally {
    await store.close();
  }
}

export function printSearch({ posts, results, writes, faults }: SearchReport): string {
  const [small, large] = posts.map((count) => `p50 ms, ${count.toLocaleString('en')} posts`) as [string, string];
  const rows = results.map((result) => [result.query, result.small, result.large, result.ratio]);
  const costs = writes.map(({ posts: count, connections, indexed, plain, ratio }) => [
    count.toLocaleString('en'),
    String(connections),
    indexed,
    plain,
    ratio,
  ]);
  return [
    'Search for posts',
    table(['', small, large, 'ratio'], rows),
    '',
    'createPost, a text of twelve words',
    table(['posts', 'connections', 'requests/s', 'without the index', 'ratio'], costs),
    ...faults,
  ].join('\n');
}

async function fill(uri: string, count: number): Promise<void> {
  const store = await openStore({ uri, timeoutMs: FILL_TIMEOUT_MS });
  try {
    const { collections } = store;
    await writeBenchRecords(collections);
    const context = createSampleContext({ networkId: NETWORK_ID, now: new Date(0) });
    const random = createRandom('search');
    const gap = Math.floor(count / OF_RARE_WORD);
    const post = (index: number): PostRecord => {
      const rare = index % gap < RARE_WORDS ? ` rare${letters(index % gap)}` : '';
      return postRecord(context, {
        postId: `search-${index}`,
        postedUserId: viewerId(index),
        targetType: 'community',
        targetId: communityId(index),
        data: { text: `${sentence(random, 12)} common${letters(index % COMMON_WORDS)}${rare}` },
        createdAt: new Date(Date.UTC(2026, 0) + index * 1_000),
      });
    };
    const started = new Set<Promise<unknown>>();
    for (let from = 0; from < count; from += BATCH) {
      const posts = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => post(from + index));
      const batch = insert(collections, posts).finally(() => started.delete(batch));
      started.add(batch);
      if (started.size >= BATCHES) await Promise.race(started);
    }
    await Promise.all(started);
  } finally {
    await store.close();
  }
}

async function insert({ posts, searchEntries }: Collections, records: PostRecord[]): Promise<void> {
  const ordered = false;
  await posts.insertMany(records, { ordered });
  await searchEntries.insertMany(entriesOf('posts', records), { ordered });
}

async function timeOf({ gateway, store, tokens }: Network, query: QueryName, milliseconds: number): Promise<number> {
  const call = (index: number) => ({
    method: 'GET' as const,
    path: `/api/v1/semantic-search/posts?query=${encodeURIComponent(QUERIES[query](index))}`,
    headers: { authorization: `Bearer ${tokens[index % tokens.length]}` },
  });
  const { p50 } = await slice({
    url: gateway.url,
    connections: 1,
    milliseconds,
    call,
    servers: [gateway.pid],
    store: store.pid,
  });
  return p50;
}

/** A number as letters, two at least: a word without digits. */
function letters(number: number): string {
  return [Math.floor(number / 26) % 26, number % 26].map((digit) => String.fromCharCode(97 + digit)).join('');
}
