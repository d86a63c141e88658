import { type Cell, table } from '../table.ts';
import type { OperationResult } from './compare.ts';
import type { StoreReport } from './measure.ts';

/** The figures of the store as readable text. */
export function printStore(report: StoreReport): string {
  const { records, fewRecords, fileMb, fillSeconds, operations, lags, memory, memoryOfFew, openings, checksums } =
    report;
  const many = records.toLocaleString('en');
  const few = fewRecords.toLocaleString('en');
  return [
    `The embedded store alone, through the driver: ${many} records of about 1 KB, ${Math.round(fileMb)} MB, filled in ${Math.round(fillSeconds)} s`,
    `(× echo, × lmdb: how many times as long as there; growth: how many times as long as with ${few} records)`,
    table(
      [
        '',
        'ops/s',
        'p50 ms',
        'p99 ms',
        'store CPU µs',
        'echo ops/s',
        '× echo',
        'lmdb ops/s',
        '× lmdb',
        'growth',
        'of CPU',
        'of lmdb',
      ],
      operations.map(operationRow),
    ),
    '',
    'From a write to its event in the same process, milliseconds',
    table(
      ['', 'writes/s', 'acknowledged p50', 'p99', 'event p50', 'p99', 'after acknowledgement p50', 'p99'],
      lags.map((lag): Cell[] => [
        `${lag.server}, ${lag.streams === 1 ? '1 stream' : `${lag.streams} streams`}`,
        Math.round(lag.perSecond),
        ...[lag.acknowledged, lag.fromSending, lag.fromAcknowledgement].flatMap(({ p50, p99 }) => [p50, p99]),
      ]),
    ),
    '',
    "Memory of the store's process in MB: its own, and all that is resident with the mapped pages of the file",
    table(
      ['', `own, ${many}`, `own, ${few}`, `RSS, ${many}`, `RSS, ${few}`],
      memory.map((at, place): Cell[] => {
        const other = memoryOfFew[place]!;
        return [at.when, at.ownMb, other.ownMb, at.residentMb, other.residentMb].map((cell) =>
          typeof cell === 'number' ? Math.round(cell) : cell,
        );
      }),
    ),
    '',
    `Opening ${Math.round(fileMb)} MB`,
    table(
      ['', 'open ms', 'first read ms'],
      openings.map(({ name, openMs, firstReadMs }) => [name, Math.round(openMs), Math.round(firstReadMs)]),
    ),
    '',
    `Checksums beneath the protocol; the check of the file at start: ${Math.round(checksums.checkMsPerGb)} ms of CPU per GB`,
    table(
      ['', 'with, CPU µs', 'without', 'ratio'],
      checksums.costs.map((cost): Cell[] => [cost.name, cost.with, cost.without, cost.with / cost.without]),
    ),
  ].join('\n');
}

function operationRow(result: OperationResult): Cell[] {
  const { name, together, perSecond, p50, p99, processorUs, echo, lmdb } = result;
  const { timesEcho, timesLmdb, growth, processorGrowth, lmdbGrowth } = result;
  return [
    together === 1 ? name : `${name}, ${together} concurrent`,
    Math.round(perSecond),
    p50,
    p99,
    Math.round(processorUs),
    Math.round(echo.perSecond),
    timesEcho,
    Math.round(lmdb.perSecond),
    timesLmdb,
    growth,
    processorGrowth,
    lmdbGrowth,
  ];
}
