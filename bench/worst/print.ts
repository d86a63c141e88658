import { type Cell, table } from '../table.ts';
import { WORST_BOUNDS, type WorstReport, type WorstResult } from './measure.ts';

export function printWorst({ results, documents, tried, residentMb, faults }: WorstReport): string {
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
    `RSS ${Math.round(residentMb.before)} MB before, ${Math.round(residentMb.after)} MB after the flood (bound: ${memory} MB)`,
    ...documents.map((document) => document.slice(0, 1_000)),
    faults.length > 0 ? `Bounds exceeded:\n${faults.map((fault) => `  ${fault}`).join('\n')}` : 'Every bound holds.',
  ].join('\n\n');
}
