import type { RecordSet } from '../data.ts';
import { measureFanOut } from '../events/fan-out.ts';
import { printFanOut } from '../events/print.ts';
import { type GrowthResult, measureGrowth, printGrowth } from '../growth/measure.ts';
import { fill, measureReads, READS } from '../http/reads.ts';
import { printHttp } from '../http/results.ts';
import { measureSmallQueries, SMALL_PEERS, SMALL_WORK } from '../http/small.ts';
import { hasCores, MIN_CORES, measureWorkers, ONE, TWO } from '../http/workers.ts';
import { measureWrites, WRITE_NAMES, writeWork } from '../http/writes.ts';
import { isInstalled } from '../peers/install.ts';
import { GATEWAY_REST, measurePeers, PEER_PACKAGES, PEER_WORK, PEERS } from '../peers/measure.ts';
import type { Quartiles } from '../rounds.ts';
import type { Scale } from '../settings.ts';
import { mean } from '../stats.ts';
import { type Server as Store, withFilledStore } from '../store/servers.ts';
import { type AimResult, type PartReport, ratioAim } from './result.ts';

export type Progress = (step: string) => void;

export interface PartRun {
  scale: Scale;
  progress: Progress;
  /** A store with the records of the bench, which parts may share. @default a new one for each part */
  store?: Store | undefined;
}

type Part = (run: PartRun) => Promise<PartReport>;

/** The parts of the table of aims by name, as `--only` selects them. */
export const PARTS = { reads, small, writes, events, peers, growth, workers } satisfies { [name: string]: Part };
export type PartName = keyof typeof PARTS;
/** Parts of a run without options. */
export const DEFAULT_PARTS: readonly PartName[] = ['reads', 'small', 'writes', 'events'];

/**
 * Parts that `--smoke` checks. `small` and `peers` install packages first, so they need an earlier run; `workers` repeats
 * requests of `reads`.
 */
export async function smokeParts(): Promise<PartName[]> {
  const peers = (await isInstalled(PEER_PACKAGES)) ? (['peers'] as const) : [];
  return ['reads', 'writes', 'events', 'growth', ...peers];
}

/** Parts that read or write the records of the bench in one store. */
const SHARING: readonly PartName[] = ['reads', 'small', 'writes', 'peers', 'workers'];
export const canShareStore = (parts: readonly PartName[]): boolean =>
  parts.filter((part) => SHARING.includes(part)).length > 1;

/** Runs `work` over a store with the records of the bench. @param many also those of many communities */
export async function withStore<Result>(
  { scale, progress, store: shared }: PartRun,
  work: (store: Store) => Promise<Result>,
  many?: RecordSet,
): Promise<Result> {
  if (shared) return work(shared);
  return withFilledStore(
    (uri) => fill(uri, scale, many),
    (store, written) => {
      progress(`${written.toLocaleString('en')} records written`);
      return work(store);
    },
  );
}

async function reads(run: PartRun): Promise<PartReport> {
  const { scale } = run;
  const figures = await withStore(run, (store) => measureReads(store, scale), scale.many);
  const [one, many] = scale.connections;
  const aim = (work: string, connections: number, atLeast?: number) =>
    ratioAim(figures, { work, connections, server: 'hand-written' }, atLeast);
  const results = [
    ...[READS.few, READS.many].flatMap((work) => [aim(work, one, 1.5), aim(work, many, 4)]),
    aim(READS.cold, one),
    aim(READS.cold, many),
    aim(READS.hot, many, 8),
    ...[READS.page, READS.manyPages].flatMap((work) => [aim(work, one, 2.5), aim(work, many, 6)]),
  ];
  return { results, details: printHttp('Reads over HTTP', figures), figures };
}

async function small(run: PartRun): Promise<PartReport> {
  const { scale } = run;
  const figures = await withStore(run, (store) => measureSmallQueries(store, scale));
  const [, connections] = scale.connections;
  const aims: { [server: string]: number } = { 'node:http and graphql-jit': 0.95, 'Mercurius and jit': 1.1 };
  const results = Object.keys(SMALL_PEERS).map((server) =>
    ratioAim(figures, { work: SMALL_WORK, connections, server }, aims[server]),
  );
  return { results, details: printHttp('Small queries: viewer { displayName }', figures), figures };
}

async function writes(run: PartRun): Promise<PartReport> {
  const { scale } = run;
  const [one, many] = scale.connections;
  const writers = { few: [one, many], many: [one, many] };
  const figures = await withStore(run, (store) => measureWrites(store, { ...scale, writers }), scale.many);
  const results = (['few', 'many'] as const).flatMap((where) =>
    WRITE_NAMES.flatMap((name) =>
      [one, many].map((connections) =>
        ratioAim(
          figures,
          { work: writeWork(name, where), connections, server: 'hand-written' },
          connections === one ? 0.9 : 1.2,
        ),
      ),
    ),
  );
  return { results, details: printHttp('Writes over HTTP, on disk when they are answered', figures), figures };
}

async function events(run: PartRun): Promise<PartReport> {
  const { scale, progress } = run;
  const figures = await measureFanOut(scale.fanOut, progress);
  const largest = Math.max(...scale.fanOut.sockets);
  const results = figures.flatMap((result): AimResult[] => {
    const { server, sockets, subjectRatio, p99Quartiles, rate, otherLoad } = result;
    const name = `${sockets.toLocaleString('en')} sockets`;
    const steady = { value: p99Quartiles, unit: 'ms', otherLoad };
    const ofSteady = `p99 at ${rate} events/s`;
    if (server === 'gateway') {
      const aim = sockets === largest && { aim: { atMost: 70 } };
      return [{ name: `${name}, ${ofSteady}`, ...steady, ...aim }];
    }
    const ratio = { name: `${name}, messages/s ÷ ${server}`, value: subjectRatio, otherLoad };
    if (server === 'broadcast') return [ratio, { name: `${name}, ${ofSteady} of ${server}`, ...steady }];
    return [{ ...ratio, ...(server === 'graphql-ws' && { aim: { atLeast: 15 } }) }];
  });
  const lost = figures.filter(({ isComplete }) => !isComplete);
  if (lost.length > 0) throw new Error(`${lost.map(({ server }) => server).join(', ')} lost messages`);
  return { results, details: printFanOut(figures), figures };
}

async function peers(run: PartRun): Promise<PartReport> {
  const { scale, progress } = run;
  const figures = await withStore(run, (store) => measurePeers(store, scale, progress));
  const results = scale.connections.flatMap((connections) => [
    ...PEERS.map((server) => ratioAim(figures, { work: PEER_WORK, connections, server }, 5)),
    ratioAim(figures, { work: PEER_WORK, connections, server: GATEWAY_REST }),
  ]);
  return { results, details: printHttp('A post with ten comments and their authors', figures), figures };
}

async function growth({ scale, progress }: PartRun): Promise<PartReport> {
  const { records } = scale.growth;
  const figures = await measureGrowth(scale.growth, progress);
  const { lists } = figures;
  const slowest = (by: (list: GrowthResult) => Quartiles) =>
    lists.reduce((worst, one) => (by(one).median > by(worst).median ? one : worst));
  const [small, large] = records.map((count) => count.toLocaleString('en')) as [string, string];
  const line = (by: (list: GrowthResult) => Quartiles, caches: string): AimResult => ({
    name: `slowest growing of ${lists.length} lists and searches ${caches}, ${large} ÷ ${small} records: ${slowest(by).name}`,
    value: by(slowest(by)),
    otherLoad: mean(lists.map(({ otherLoad }) => otherLoad)),
    ...(records[1] < 1_000_000 && { note: 'fewer than 1,000,000 records' }),
  });
  const results = [
    { ...line(({ ratio }) => ratio, 'without caches'), aim: { atMost: 1.3 } },
    line(({ cachedRatio }) => cachedRatio, 'with caches'),
  ];
  return { results, details: printGrowth(figures), figures };
}

async function workers(run: PartRun): Promise<PartReport> {
  const figures = await withStore(run, (store) => measureWorkers(store, run.scale));
  const results = figures
    .filter(({ server }) => server === ONE)
    .flatMap(({ work, cpuRatio, subjectRatio, otherLoad }): AimResult[] => [
      { name: `${work}: CPU per request, ${TWO} ÷ 1`, value: cpuRatio, aim: { atMost: 1.05 }, otherLoad },
      {
        name: `${work}: requests/s, ${TWO} ÷ 1`,
        value: hasCores() ? subjectRatio : null,
        aim: { atLeast: 1.8 },
        otherLoad,
        ...(!hasCores() && { note: `${MIN_CORES} cores are needed` }),
      },
    ]);
  return { results, details: printHttp('Gateway processes on one port', figures, TWO), figures };
}
