import { inRounds, type Quartiles, quartilesOf, ratiosOf } from '../rounds.ts';
import { median } from '../stats.ts';
import { type Cell, table } from '../table.ts';
import { type Load, type Slice, slice } from './load.ts';

/** One kind of request to one server. */
export interface HttpVariant {
  work: string;
  connections: number;
  server: string;
}

/** Medians of all rounds. */
export interface HttpResult extends HttpVariant, Slice {
  /** Requests/s of the compared subject divided by those of this server in the same round. */
  subjectRatio: Quartiles;
  /** Processor time per request of the subject, gateway and store together, divided by this server's. */
  cpuRatio: Quartiles;
}

interface Measuring<Variant> {
  variants: readonly Variant[];
  rounds: number;
  /** The server that is compared with the others. @default gateway */
  subject?: string;
  load: (variant: Variant) => Load;
}

/** Measures all variants, in slices in a new order each round. */
export async function measureHttp<Variant extends HttpVariant>({
  variants,
  rounds: count,
  subject = 'gateway',
  load,
}: Measuring<Variant>): Promise<HttpResult[]> {
  const rounds = await inRounds(variants, count, (variant) => slice(load(variant)));
  return variants.map((variant) => {
    const slices = rounds.map((round) => round.get(variant)!);
    const over = (pick: (slice: Slice) => number) => median(slices.map(pick));
    const own = variants.find(
      ({ work, connections, server }) =>
        work === variant.work && connections === variant.connections && server === subject,
    )!;
    const ratios = (by: (slice: Slice) => number) => quartilesOf(ratiosOf(rounds, { of: own, to: variant, by }));
    return {
      work: variant.work,
      connections: variant.connections,
      server: variant.server,
      requestsPerSecond: over((slice) => slice.requestsPerSecond),
      p50: over((slice) => slice.p50),
      p99: over((slice) => slice.p99),
      serverUs: over((slice) => slice.serverUs),
      storeUs: over((slice) => slice.storeUs),
      clientUs: over((slice) => slice.clientUs),
      otherLoad: over((slice) => slice.otherLoad),
      subjectRatio: ratios((slice) => slice.requestsPerSecond),
      cpuRatio: ratios((slice) => slice.serverUs + slice.storeUs),
    };
  });
}

export function printHttp(title: string, results: readonly HttpResult[], subject = 'gateway'): string {
  const rows = results.map((result): Cell[] => [
    `${result.work}, ${result.connections === 1 ? '1 connection' : `${result.connections} connections`}: ${result.server}`,
    result.server === subject ? '' : printQuartiles(result.subjectRatio),
    Math.round(result.requestsPerSecond),
    result.p50,
    result.p99,
    Math.round(result.serverUs),
    Math.round(result.storeUs),
    Math.round(result.clientUs),
    result.otherLoad,
  ]);
  const cpu = ['server', 'store', 'client'].map((name) => `${name} CPU µs`);
  const head = ['', `${subject} ÷ this (quartiles)`, 'req/s', 'p50 ms', 'p99 ms', ...cpu, 'other load'];
  return [`${title} (ratios of requests/s inside a round; medians)`, table(head, rows)].join('\n');
}

export const printQuartiles = ({ lower, median, upper }: Quartiles): string =>
  `${short(median)} (${short(lower)}–${short(upper)})`;

function short(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value < 1_000 ? value.toPrecision(value < 100 ? 2 : 3) : Math.round(value).toLocaleString('en');
}
