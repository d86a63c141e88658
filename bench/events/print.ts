import { printQuartiles } from '../http/results.ts';
import { type Cell, table } from '../table.ts';
import type { FanOutResult } from './fan-out.ts';

export function printFanOut(fanOut: readonly FanOutResult[]): string {
  const rows = fanOut.map((result): Cell[] => [
    `${result.sockets.toLocaleString('en')} sockets: ${result.server}`,
    result.server === 'gateway' ? '' : printQuartiles(result.subjectRatio),
    Math.round(result.messagesPerSecond),
    result.serverUs,
    `${result.rate}/s${result.isComplete ? '' : ', incomplete'}`,
    result.p50,
    result.p99,
    Math.round(result.residentMb),
    Math.round(result.idleKb),
    result.otherLoad,
  ]);
  const head = ['', 'gateway ÷ this (quartiles)', 'messages/s', 'server CPU µs', 'steady', 'p50 ms', 'p99 ms'];
  return [
    'Events over WebSockets, one subscription on every socket (latency from the write of the event to the subscriber)',
    table([...head, 'RSS MB', 'KB each', 'other load'], rows),
  ].join('\n');
}
