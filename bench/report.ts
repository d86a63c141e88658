import { cpus } from 'node:os';
import type { ReadResult } from './http-reads.ts';
import type { StartUp } from './start-up.ts';
import type { StoreResult } from './store-alone.ts';
import { type Cell, table } from './table.ts';

export interface Report {
  machine: string;
  reads: ReadResult[];
  startUp: StartUp[];
  store: StoreResult[];
}

export function machine(): string {
  const processors = cpus();
  return `Node ${process.versions.node}, ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, ${process.platform}`;
}

/** What one run found, for people. */
export function print({ machine, reads, startUp, store }: Report): string {
  const readRows = reads.map((result): Cell[] => [
    `${result.work}, ${result.connections === 1 ? '1 connection' : `${result.connections} connections`}: ${result.server}`,
    result.ofHandWritten,
    result.ofYoga,
    result.ofPlainYoga,
    Math.round(result.requestsPerSecond),
    result.p50,
    result.p99,
    Math.round(result.serverUs),
    Math.round(result.storeUs),
    Math.round(result.residentMb),
  ]);
  return [
    machine,
    '',
    'Reads over HTTP (ratios of requests/s inside a round, medians of all rounds)',
    table(
      [
        '',
        '× hand-written',
        '× Yoga',
        '× plain Yoga',
        'req/s',
        'p50 ms',
        'p99 ms',
        'server CPU µs',
        'store CPU µs',
        'RSS MB',
      ],
      readRows,
    ),
    '',
    'Start-up, embedded store',
    table(
      ['', 'ready ms', 'RSS MB'],
      startUp.map(({ name, readyMs, residentMb }) => [name, Math.round(readyMs), Math.round(residentMb)]),
    ),
    '',
    'The embedded store alone, through the driver',
    table(
      ['', 'ops/s', 'p50 ms', 'p99 ms'],
      store.map(({ name, perSecond, p50, p99 }) => [name, Math.round(perSecond), p50, p99]),
    ),
  ].join('\n');
}
