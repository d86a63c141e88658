import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VIEWERS } from '../data.ts';
import { type Call, slice } from '../http/load.ts';
import { printQuartiles } from '../http/results.ts';
import { type Server, signIn, startGateway } from '../http/servers.ts';
import { inRounds, type Quartiles, quartilesOf, ratiosOf } from '../rounds.ts';
import { median } from '../stats.ts';
import { startStore } from '../store/servers.ts';
import { type Cell, table } from '../table.ts';
import { fillGrowth, grantRoles } from './fill.ts';
import { growthDocuments } from './lists.ts';

export interface GrowthScale {
  /** Records of the small and of the large network. */
  records: readonly [number, number];
  rounds: number;
  sliceMs: number;
  /** Only so many of the lists are measured. @default all */
  lists?: number;
}

export interface GrowthResult {
  document: string;
  /** Medians of p50 in milliseconds. */
  small: number;
  large: number;
  ratio: Quartiles;
  otherLoad: number;
}

interface Network {
  store: Awaited<ReturnType<typeof startStore>>;
  gateway: Server;
  tokens: readonly string[];
}

interface Variant {
  document: string;
  isLarge: boolean;
}

/** Measures every list and search at one connection, in networks of two sizes. @returns the slowest growth first */
export async function measureGrowth(
  { records, rounds: count, sliceMs, lists }: GrowthScale,
  progress: (step: string) => void,
): Promise<GrowthResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const networks: Network[] = [];
  try {
    for (const [index, size] of records.entries()) {
      const data = join(folder, String(index));
      await mkdir(data);
      const store = await startStore(data);
      await fillGrowth(store.uri, size);
      progress(`${size.toLocaleString('en')} records written`);
      const first = await startGateway(store.uri);
      const tokens = await signIn(first.url).finally(() => first.stop());
      await grantRoles(store.uri);
      networks.push({ store, gateway: await startGateway(store.uri), tokens });
    }
    const all = growthDocuments();
    for (const network of networks) await check(network, all);
    const documents = all.slice(0, lists);
    progress(`${documents.length} lists and searches`);
    const variants = documents.flatMap((document) => [
      { document, isLarge: false },
      { document, isLarge: true },
    ]);
    const rounds = await inRounds(variants, count, ({ document, isLarge }: Variant) => {
      const network = networks[Number(isLarge)]!;
      const { gateway, store } = network;
      const target = { url: gateway.url, servers: [gateway.pid], store: store.pid };
      return slice({
        ...target,
        connections: 1,
        milliseconds: sliceMs,
        call: (index) => callOf(network, document, index),
      });
    });
    const results = documents.map((document, index): GrowthResult => {
      const [small, large] = [variants[index * 2]!, variants[index * 2 + 1]!];
      const over = (variant: Variant) => median(rounds.map((round) => round.get(variant)!.p50));
      return {
        document,
        small: over(small),
        large: over(large),
        ratio: quartilesOf(ratiosOf(rounds, { of: large, to: small, by: ({ p50 }) => p50 })),
        otherLoad: median(rounds.map((round) => round.get(large)!.otherLoad)),
      };
    });
    return results.sort((one, other) => other.ratio.median - one.ratio.median);
  } finally {
    for (const { gateway, store } of networks) {
      await gateway.stop();
      await store.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

function callOf({ tokens }: Network, query: string, index: number): Call {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { authorization: `Bearer ${tokens[index % VIEWERS]!}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  };
}

/** @throws Error for documents that the gateway refuses */
async function check(network: Network, documents: readonly string[]): Promise<void> {
  const refused: string[] = [];
  for (const document of documents) {
    const { path, ...init } = callOf(network, document, 0);
    const response = await fetch(network.gateway.url + path, init);
    const text = await response.text();
    if (response.status !== 200 || text.includes('"errors"')) refused.push(`${document}: ${text.slice(0, 300)}`);
  }
  if (refused.length > 0) throw new Error(`${refused.length} lists are refused:\n${refused.join('\n')}`);
}

export function printGrowth(results: readonly GrowthResult[], records: readonly [number, number]): string {
  const [small, large] = records.map((count) => `p50 ms, ${count.toLocaleString('en')} records`) as [string, string];
  const rows = results.map((result): Cell[] => [
    result.document.slice(0, 110),
    result.small,
    result.large,
    printQuartiles(result.ratio),
    result.otherLoad,
  ]);
  return ['Growth of lists and searches', table(['', small, large, 'ratio (quartiles)', 'other load'], rows)].join(
    '\n',
  );
}
