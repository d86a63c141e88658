import { setTimeout as wait } from 'node:timers/promises';
import type { Progress } from '../aims/parts.ts';
import { communityId, FEW, postId, VIEWERS } from '../data.ts';
import { type Call, type Slice, slice } from '../http/load.ts';
import { PAGE_DOCUMENT } from '../http/page.ts';
import { type Server, signIn, startServer } from '../http/servers.ts';
import { createWriteCalls } from '../http/writes.ts';
import { zipf } from '../http/zipf.ts';
import { untilIdle } from '../process.ts';
import { type Interval, medianInterval } from '../rounds.ts';
import { median, shuffled } from '../stats.ts';
import { type Cell, table } from '../table.ts';
import { buildWithSwitch, SWITCH } from './build.ts';

/** Processor time per request with metrics, divided by that without, at most. */
export const MAX_RATIO = 1.02;
/** How often Prometheus scrapes by default. */
const SCRAPE_MS = 15_000;
const METRICS_TOKEN = 'bench-metrics-token';
/** Until the process has handled the signal. */
const SWITCH_MS = 20;

export interface MetricsCostScale {
  /** Pairs of slices for each kind of work: one with metrics and one without, in a random order. */
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
  /** With metrics divided by without: the median of the pairs, and its 95 % confidence interval. */
  ratio: Interval;
  otherLoad: number;
}

export interface MetricsCostReport {
  costs: MetricsCost[];
  /** Work whose median exceeds {@link MAX_RATIO}. */
  faults: string[];
}

interface Pair {
  work: string;
  with: Slice;
  without: Slice;
}

/**
 * Measures one gateway that counts and is scraped, and stops measuring in every other slice: two processes of one program
 * differ by several percent for as long as they run, because they are optimized differently.
 */
export async function measureMetricsCost(
  store: { uri: string; pid: number },
  scale: MetricsCostScale,
  progress: Progress,
): Promise<MetricsCostReport> {
  const built = await buildWithSwitch();
  try {
    // Only processor time counts: no request fails because other programs keep the machine busy.
    const env = { DATABASE_TIMEOUT_MS: '60000', METRICS_TOKEN };
    const server = await startServer(built.file, { uri: store.uri, ready: '/readyz', env });
    try {
      return reportOf(await measurePairs(store, server, scale, progress));
    } finally {
      await server.stop();
    }
  } finally {
    await built.remove();
  }
}

async function measurePairs(
  store: { pid: number },
  server: Server,
  scale: MetricsCostScale,
  progress: Progress,
): Promise<Pair[]> {
  const calls = createCalls(await signIn(server.url));
  const works = Object.keys(calls);
  const load = (work: string, milliseconds: number) =>
    slice({
      url: server.url,
      servers: [server.pid],
      store: store.pid,
      connections: scale.connections,
      milliseconds,
      call: calls[work]!,
    });
  let isMeasuring = true;
  let scrapedAt = 0;
  async function measure(work: string, withMetrics: boolean, milliseconds: number): Promise<Slice> {
    if (isMeasuring !== withMetrics) {
      process.kill(server.pid, SWITCH);
      isMeasuring = withMetrics;
      await wait(SWITCH_MS);
    }
    const isScraped = withMetrics && performance.now() - scrapedAt >= SCRAPE_MS / 2;
    if (!isScraped) return load(work, milliseconds);
    // Half of the slices are with metrics: scraped in half the time, they contain as many scrapes as in production.
    scrapedAt = performance.now();
    const [measured] = await Promise.all([load(work, milliseconds), scrape(server)]);
    return measured;
  }
  if (scale.warmUpMs > 0) {
    for (const work of works) for (const withMetrics of [true, false]) await measure(work, withMetrics, scale.warmUpMs);
    await untilIdle(server);
  }
  const pairs: Pair[] = [];
  for (let round = 1; round <= scale.rounds; round += 1) {
    if (round % 10 === 1) progress(`metrics, round ${round} of ${scale.rounds}`);
    for (const work of shuffled(works)) {
      const measured = { with: null as Slice | null, without: null as Slice | null };
      for (const name of shuffled(['with', 'without'] as const))
        measured[name] = await measure(work, name === 'with', scale.sliceMs);
      pairs.push({ work, with: measured.with!, without: measured.without! });
    }
  }
  return pairs;
}

/** Reads the metrics as Prometheus does. @throws Error for any status but 200 */
async function scrape({ url }: Server): Promise<void> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  await response.text();
  if (response.status !== 200) throw new Error(`/metrics answers ${response.status}`);
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

function reportOf(pairs: readonly Pair[]): MetricsCostReport {
  const works = [...new Set(pairs.map(({ work }) => work))];
  const costs = works.map((work): MetricsCost => {
    const measured = pairs.filter((pair) => pair.work === work);
    return {
      work,
      withUs: median(measured.map((pair) => pair.with.serverUs)),
      withoutUs: median(measured.map((pair) => pair.without.serverUs)),
      ratio: medianInterval(measured.map((pair) => pair.with.serverUs / pair.without.serverUs)),
      otherLoad: median(measured.map((pair) => pair.with.otherLoad)),
    };
  });
  return { costs, faults: costs.filter(({ ratio }) => !(ratio.median <= MAX_RATIO)).map(({ work }) => work) };
}

export function printMetricsCost({ costs, faults }: MetricsCostReport): string {
  const short = (ratio: number) => ratio.toFixed(3);
  const rows = costs.map(({ work, withUs, withoutUs, ratio, otherLoad }): Cell[] => [
    work,
    withUs,
    withoutUs,
    `${short(ratio.median)} (${short(ratio.lower)}–${short(ratio.upper)})`,
    otherLoad,
  ]);
  const head = ['', 'with, CPU µs', 'without, CPU µs', 'with ÷ without (95 % confidence)', 'other load'];
  const missed = faults.map((work) => `${work}: metrics cost more than ${Math.round((MAX_RATIO - 1) * 100)} %`);
  return ['The cost of metrics', table(head, rows), ...missed].join('\n');
}
