import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { viewerId } from '../data.ts';
import { type Call, slice } from '../http/load.ts';
import { printQuartiles } from '../http/results.ts';
import { type Server, signIn, startGateway } from '../http/servers.ts';
import { inRounds, type Quartiles, quartilesOf, ratiosOf } from '../rounds.ts';
import { mean, median } from '../stats.ts';
import { startStore } from '../store/servers.ts';
import { type Cell, table } from '../table.ts';
import { type Filled, fillGrowth, grantRoles } from './fill.ts';
import { type GrowthDocument, growthDocuments } from './lists.ts';

export interface GrowthScale {
  /** Records of the main kinds in the small and in the large network. */
  records: readonly [number, number];
  rounds: number;
  sliceMs: number;
  /** Only so many of the lists are measured. @default all */
  lists?: number;
}

export interface GrowthResult {
  name: string;
  /** Medians of p50 in milliseconds, without caches. */
  small: number;
  large: number;
  /** Without caches: each request reads the database. */
  ratio: Quartiles;
  /** With the caches of the defaults, which hold the answers of repeated requests. */
  cachedRatio: Quartiles;
  otherLoad: number;
}

export interface GrowthReport {
  /** The slowest growth first. */
  lists: GrowthResult[];
  /** The records of the small and of the large network. */
  networks: Filled[];
}

const WITHOUT_CACHES = { CACHE_MB: '0', ANSWER_CACHE_MB: '0' };

interface Network {
  store: Awaited<ReturnType<typeof startStore>>;
  gateways: { cached: Server; uncached: Server };
  tokens: readonly string[];
  filled: Filled;
}

interface Variant {
  document: GrowthDocument;
  isLarge: boolean;
  isCached: boolean;
}

/** Measures every list and search at one connection, in networks of two sizes. */
export async function measureGrowth(
  { records, rounds: count, sliceMs, lists }: GrowthScale,
  progress: (step: string) => void,
): Promise<GrowthReport> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const running: Array<{ stop(): Promise<void> }> = [];
  const started = async <Started extends { stop(): Promise<void> }>(starting: Promise<Started>): Promise<Started> => {
    const program = await starting;
    running.unshift(program);
    return program;
  };
  try {
    const networks: Network[] = [];
    for (const [index, size] of records.entries()) {
      const data = join(folder, String(index));
      await mkdir(data);
      // What is measured reads only, so nothing has to be on disk; this makes filling faster.
      const store = await started(startStore(data, 'memory'));
      const filled = await fillGrowth(store.uri, size);
      progress(`${printFilled(filled)} written`);
      const first = await startGateway(store.uri);
      const tokens = await signIn(first.url).finally(() => first.stop());
      await grantRoles(store.uri);
      const gateways = {
        uncached: await started(startGateway(store.uri, WITHOUT_CACHES)),
        cached: await started(startGateway(store.uri)),
      };
      networks.push({ store, gateways, tokens, filled });
    }
    const all = growthDocuments();
    for (const network of networks) await check(network, all);
    const documents = all.slice(0, lists);
    progress(`${documents.length} lists and searches`);
    const variantsOf = (isCached: boolean, isLarge: boolean) =>
      documents.map((document): Variant => ({ document, isLarge, isCached }));
    const [small, large, smallCached, largeCached] = [
      variantsOf(false, false),
      variantsOf(false, true),
      variantsOf(true, false),
      variantsOf(true, true),
    ];
    const variants = [small, large, smallCached, largeCached].flat();
    const rounds = await inRounds(variants, count, ({ document, isLarge, isCached }) => {
      const network = networks[Number(isLarge)]!;
      const { gateways, store } = network;
      const { url, pid } = isCached ? gateways.cached : gateways.uncached;
      return slice({
        ...{ url, servers: [pid], store: store.pid, connections: 1, milliseconds: sliceMs },
        call: () => callOf(network, document),
      });
    });
    const results = documents.map(({ name }, index): GrowthResult => {
      const over = (variant: Variant) => median(rounds.map((round) => round.get(variant)!.p50));
      const growth = (of: Variant, to: Variant) => quartilesOf(ratiosOf(rounds, { of, to, by: ({ p50 }) => p50 }));
      return {
        name,
        small: over(small[index]!),
        large: over(large[index]!),
        ratio: growth(large[index]!, small[index]!),
        cachedRatio: growth(largeCached[index]!, smallCached[index]!),
        // The system counts time in steps that are long for such a slice, so only the mean of many is exact.
        otherLoad: mean(rounds.flatMap((round) => [small, large].map((of) => round.get(of[index]!)!.otherLoad))),
      };
    });
    return {
      lists: results.sort((one, other) => other.ratio.median - one.ratio.median),
      networks: networks.map(({ filled }) => filled),
    };
  } finally {
    for (const program of running) await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function callOf({ tokens }: Pick<Network, 'tokens'>, { query, userId }: GrowthDocument): Call {
  const token = tokens.find((_, index) => viewerId(index) === userId)!;
  return {
    method: 'POST',
    path: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  };
}

/** @throws Error for documents that the gateway refuses, and for lists that are empty although records should match */
async function check(network: Network, documents: readonly GrowthDocument[]): Promise<void> {
  const faults: string[] = [];
  for (const document of documents) {
    const { path, ...init } = callOf(network, document);
    const response = await fetch(network.gateways.uncached.url + path, init);
    const text = await response.text();
    if (response.status !== 200 || text.includes('"errors"')) faults.push(`${document.name}: ${text.slice(0, 300)}`);
    else if (/"(cursor|node)":|"hasNextPage":true/.test(text) === document.isEmpty)
      faults.push(`${document.name}: ${text.slice(0, 100)}`);
  }
  if (faults.length > 0) throw new Error(`${faults.length} lists are refused or empty:\n${faults.join('\n')}`);
}

function printFilled({ written, mains, others }: Filled): string {
  const [all, main, other] = [written, mains, others].map((count) => count.toLocaleString('en'));
  return `${all} records (${main} of each main kind, ${other} of each other kind)`;
}

export function printGrowth({ lists, networks }: GrowthReport): string {
  const rows = lists.map((result): Cell[] => [
    result.name.slice(0, 140),
    result.small,
    result.large,
    printQuartiles(result.ratio),
    printQuartiles(result.cachedRatio),
    result.otherLoad,
  ]);
  const ratios = ['ratio without caches (quartiles)', 'ratio with caches'];
  return [
    `Growth of lists and searches, from ${networks.map(printFilled).join(' to ')}`,
    table(['', 'p50 ms, small, without caches', 'p50 ms, large', ...ratios, 'other load'], rows),
  ].join('\n');
}
