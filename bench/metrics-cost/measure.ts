import { setTimeout as wait } from 'node:timers/promises';
import type { Progress } from '../aims/parts.ts';
import { GATEWAY } from '../build.ts';
import { communityId, FEW, postId, VIEWERS } from '../data.ts';
import { type Call, type Slice, slice } from '../http/load.ts';
import { PAGE_DOCUMENT } from '../http/page.ts';
import { type Server, signIn, startServer } from '../http/servers.ts';
import { createWriteCalls } from '../http/writes.ts';
import { zipf } from '../http/zipf.ts';
import { untilIdle } from '../process.ts';
import { inRounds, type Quartiles, quartilesOf, ratiosOf } from '../rounds.ts';
import { median } from '../stats.ts';
import { type Cell, table } from '../table.ts';
import { buildWithoutMetrics } from './build.ts';

/** Processor time per request with metrics, divided by that without, at most. */
export const MAX_RATIO = 1.02;
/** How often Prometheus scrapes by default. */
const SCRAPE_MS = 15_000;
const METRICS_TOKEN = 'bench-metrics-token';

export interface MetricsCostScale {
  /** Pairs of new processes: two processes of one program differ by a percent or two for as long as they run. */
  pairs: number;
  /** Rounds over all slices for each pair, in a random order. */
  rounds: number;
  sliceMs: number;
  warmUpMs: number;
  connections: number;
}

export interface MetricsCost {
  work: string;
  /** Processor time per request of the gateway in microseconds: medians. */
  withUs: number;
  withoutUs: number;
  /** With metrics divided by without, over the rounds of all pairs. */
  ratio: Quartiles;
  /** The median of each pair of processes. */
  pairs: number[];
  otherLoad: number;
}

export interface MetricsCostReport {
  costs: MetricsCost[];
  /** Work whose median exceeds {@link MAX_RATIO}. */
  faults: string[];
}

const NAMES = ['with', 'without'] as const;
type Name = (typeof NAMES)[number];
interface Variant {
  work: string;
  name: Name;
}

/** Measures gateways that count and are scraped, and gateways that do not measure anything, in turns over one store. */
export async function measureMetricsCost(
  store: { uri: string; pid: number },
  scale: MetricsCostScale,
  progress: Progress,
): Promise<MetricsCostReport> {
  const plain = await buildWithoutMetrics();
  try {
    const pairs = [];
    for (let pair = 0; pair < scale.pairs; pair += 1) {
      progress(`metrics, pair ${pair + 1} of ${scale.pairs}`);
      pairs.push(await measurePair(store, plain.file, scale));
    }
    return reportOf(pairs);
  } finally {
    await plain.remove();
  }
}

/** Tokens and calls are the same for all pairs; a write is never repeated. */
let calls: { [work: string]: () => Call } | null = null;

async function measurePair(store: { uri: string; pid: number }, plain: string, scale: MetricsCostScale) {
  // Only processor time counts: no request fails because other programs keep the machine busy.
  const patience = { DATABASE_TIMEOUT_MS: '60000' };
  const start = (file: string, env = {}) =>
    startServer(file, { uri: store.uri, ready: '/readyz', env: { ...patience, ...env } });
  const servers = { with: await start(GATEWAY, { METRICS_TOKEN }), without: await start(plain) };
  const ended = new AbortController();
  const scraping = scrape(servers.with, ended.signal);
  try {
    calls ??= createCalls(await signIn(servers.with.url));
    const works = Object.keys(calls);
    const variants = works.flatMap((work) => NAMES.map((name): Variant => ({ work, name })));
    const load = ({ work, name }: Variant, milliseconds: number) => {
      const { url, pid } = servers[name];
      const call = calls![work]!;
      return slice({ url, servers: [pid], store: store.pid, connections: scale.connections, milliseconds, call });
    };
    if (scale.warmUpMs > 0) {
      for (const variant of variants) await load(variant, scale.warmUpMs);
      for (const name of NAMES) await untilIdle(servers[name]);
    }
    const rounds = await inRounds(variants, scale.rounds, (variant) => load(variant, scale.sliceMs));
    return { variants, rounds };
  } finally {
    ended.abort();
    await scraping;
    for (const name of NAMES) await servers[name].stop();
  }
}

/** Reads the metrics as Prometheus does, until the signal. @throws Error for any status but 200 */
async function scrape({ url }: Server, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    await response.text();
    if (response.status !== 200) throw new Error(`/metrics answers ${response.status}`);
    await wait(SCRAPE_MS, undefined, { signal }).catch(() => undefined);
  }
}

function createCalls(tokens: readonly string[]): { [work: string]: () => Call } {
  const postAt = zipf('posts', FEW.communities * FEW.postsEach);
  const communityAt = zipf('communities', FEW.communities);
  const write = createWriteCalls(tokens, FEW);
  const places = { post: 0, page: 0 };
  const authorization = (place: number) => ({ authorization: `Bearer ${tokens[place % VIEWERS]!}` });
  return {
    'REST post': () => {
      const place = places.post++;
      return { method: 'GET', path: `/api/v3/posts/${postId(postAt(place))}`, headers: authorization(place) };
    },
    'page of 20 posts': () => {
      const place = places.page++;
      const headers = { ...authorization(place), 'content-type': 'application/json' };
      const body = JSON.stringify({
        query: PAGE_DOCUMENT,
        variables: { communityId: communityId(communityAt(place)) },
      });
      return { method: 'POST', path: '/graphql', headers, body };
    },
    addReaction: () => write('gateway', 'addReaction'),
    sendMessage: () => write('gateway', 'sendMessage'),
  };
}

function reportOf(pairs: ReadonlyArray<Awaited<ReturnType<typeof measurePair>>>): MetricsCostReport {
  const works = [...new Set(pairs[0]!.variants.map(({ work }) => work))];
  const costs = works.map((work): MetricsCost => {
    const measured = pairs.map(({ variants, rounds }) => {
      const [of, to] = NAMES.map((name) => variants.find((variant) => variant.work === work && variant.name === name)!);
      const slices = (variant: Variant | undefined): Slice[] => rounds.map((round) => round.get(variant!)!);
      const ratios = ratiosOf(rounds, { of: of!, to: to!, by: ({ serverUs }) => serverUs });
      return { with: slices(of), without: slices(to), ratios };
    });
    const over = (name: Name, pick: (slice: Slice) => number) =>
      median(measured.flatMap((pair) => pair[name]).map(pick));
    return {
      work,
      withUs: over('with', ({ serverUs }) => serverUs),
      withoutUs: over('without', ({ serverUs }) => serverUs),
      ratio: quartilesOf(measured.flatMap(({ ratios }) => ratios)),
      pairs: measured.map(({ ratios }) => quartilesOf(ratios).median),
      otherLoad: over('with', ({ otherLoad }) => otherLoad),
    };
  });
  return { costs, faults: costs.filter(({ ratio }) => !(ratio.median <= MAX_RATIO)).map(({ work }) => work) };
}

export function printMetricsCost({ costs, faults }: MetricsCostReport): string {
  const short = (ratio: number) => ratio.toFixed(3);
  const rows = costs.map(({ work, withUs, withoutUs, ratio, pairs, otherLoad }): Cell[] => [
    work,
    withUs,
    withoutUs,
    `${short(ratio.median)} (${short(ratio.lower)}–${short(ratio.upper)})`,
    pairs.map(short).join(' '),
    otherLoad,
  ]);
  const head = [
    '',
    'with, CPU µs',
    'without, CPU µs',
    'with ÷ without (quartiles)',
    'pairs of processes',
    'other load',
  ];
  const missed = faults.map((work) => `${work}: metrics cost more than ${Math.round((MAX_RATIO - 1) * 100)} %`);
  return ['The cost of metrics', table(head, rows), ...missed].join('\n');
}
