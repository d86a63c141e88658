import { type Cell, table } from '../table.ts';
import { WORST_BOUNDS, type WorstReport, type WorstResult } from './measure.ts';

export function printWorst(report: WorstReport): string {
  const { results, documents, tried, residentMb, flooded, together, faults } = report;
  const byBlock = (one: WorstResult, other: WorstResult) => other.blockMs - one.blockMs;
  const rows = (isAccepted: boolean): Cell[][] =>
    results
      .filter((result) => result.isAccepted === isAccepted)
      .sort(byBlock)
      .map(({ name, status, blockMs, cpuMs, answerBytes, answer }) => [
        name.slice(0, 100),
        String(status),
        blockMs,
        cpuMs,
        answerBytes / 1_024,
        isAccepted ? '' : answer.slice(0, 90),
      ]);
  const head = ['', 'status', 'block ms', 'CPU ms', 'answer KiB', ''];
  const { blockMs, cpuMs, refusedMs, residentMb: memory } = WORST_BOUNDS;
  return [
    `Worst requests accepted (bounds: ${blockMs} ms of block, ${cpuMs} ms of CPU); ${tried} operations tried`,
    table(head, rows(true)),
    `Worst requests refused (bound: ${refusedMs} ms of block)`,
    table(head, rows(false)),
    table(['worst of each family', '', 'requests', 'block ms', 'CPU ms'], families(results)),
    `${together.connections} concurrent connections, half without a token: block ${Math.round(together.blockMs)} ms, ` +
      `RSS up to ${Math.round(together.residentMb)} MB, health check within ${Math.round(together.healthMs)} ms, ` +
      `answers ${JSON.stringify(together.answers)}`,
    `RSS ${Math.round(residentMb.before)} MB before, ${Math.round(residentMb.after)} MB after ${flooded} more requests (bound: ${memory} MB)`,
    ...documents.map((document) => document.slice(0, 1_000)),
    faults.length > 0 ? `Bounds exceeded:\n${faults.map((fault) => `  ${fault}`).join('\n')}` : 'Every bound holds.',
  ].join('\n\n');
}

function families(results: readonly WorstResult[]): Cell[][] {
  const names = [...new Set(results.map(({ family }) => family))].sort();
  return names.flatMap((name) =>
    [true, false].flatMap((isAccepted) => {
      const some = results.filter((result) => result.family === name && result.isAccepted === isAccepted);
      if (some.length === 0) return [];
      const most = (pick: (result: WorstResult) => number) => Math.max(...some.map(pick));
      return [
        [
          name,
          isAccepted ? 'accepted' : 'refused',
          String(some.length),
          most(({ blockMs }) => blockMs),
          most(({ cpuMs }) => cpuMs),
        ],
      ];
    }),
  );
}
