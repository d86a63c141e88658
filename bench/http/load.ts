import { type ChildProcess, fork } from 'node:child_process';
import { BUILT } from '../build.ts';
import { runningPids } from '../process.ts';
import { type Latencies, latenciesOf } from '../stats.ts';
import type { LoadOrder, LoadReport } from './load-messages.ts';

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Load {
  url: string;
  connections: number;
  milliseconds: number;
  /** The `index`-th request of this slice. Called somewhat more often than requests are sent. */
  call: (index: number) => Call;
  /** Processes of the server and of the store, which may be the same. */
  servers: readonly number[];
  store: number;
}

export interface Slice extends Latencies {
  requestsPerSecond: number;
  /** Processor time per request in microseconds. */
  serverUs: number;
  storeUs: number;
  clientUs: number;
  /** Processors that programs other than the bench used meanwhile. */
  otherLoad: number;
}

/** Share of a slice that is not measured, because all connections start in step. */
const LEAD_IN = 0.25;
/** Requests that are prepared for a slice: for so many times the rate of the last one, and at least these. */
const RESERVE = 2;
const MIN_STOCK = 500;
const MAX_STOCK = 20_000;

let generator: ChildProcess | null = null;
/** Requests per millisecond of the last slice. */
let lastRate = 0;

/**
 * Keeps `connections` requests in progress, sent by a separate process, and measures the last part of the time.
 * Requests are prepared before they are sent.
 * @throws Error for any status but 200, and for a sampled body that reports an error
 */
export async function slice({ url, connections, milliseconds, call, servers, store }: Load): Promise<Slice> {
  let index = 0;
  const stock = Math.min(MAX_STOCK, Math.max(MIN_STOCK, Math.ceil(lastRate * milliseconds * RESERVE)));
  const prepared = (count: number) => Array.from({ length: count }, () => encode(call(index++)));
  generator ??= start();
  const child = generator;
  const send = (order: LoadOrder) => child.send(order);
  child.channel?.ref();
  const report = await new Promise<LoadReport>((resolve, reject) => {
    const listen = (message: LoadReport) => {
      if (message.type === 'more') send({ type: 'requests', requests: prepared(stock) });
      else settle(() => resolve(message));
    };
    const fail = () => settle(() => reject(new Error('The load generator ended early.')));
    const settle = (then: () => void) => {
      child.off('message', listen).off('exit', fail);
      then();
    };
    child.on('message', listen).once('exit', fail);
    const leadInMs = milliseconds * LEAD_IN;
    send({
      ...{ type: 'run', url, connections, servers, store, leadInMs },
      // The bench itself, and programs that are idle meanwhile but for their timers.
      bench: [process.pid, ...runningPids().filter((pid) => pid !== store && !servers.includes(pid))],
      milliseconds: milliseconds - leadInMs,
      requests: prepared(stock),
    });
  });
  child.channel?.unref();
  if (report.type !== 'measured') throw new Error(`${url}: ${report.type === 'failed' ? report.why : report.type}`);
  const { durations, elapsedMs, usage } = report;
  lastRate = durations.length / elapsedMs;
  const each = (used: number) => (used * 1_000) / durations.length;
  return {
    ...latenciesOf(durations),
    requestsPerSecond: (durations.length * 1_000) / elapsedMs,
    serverUs: each(usage.server),
    storeUs: each(usage.store),
    clientUs: each(usage.client),
    otherLoad: usage.others / elapsedMs,
  };
}

/** Does not keep the bench from ending. */
function start(): ChildProcess {
  const child = fork(`${BUILT}load-generator.js`, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
  process.once('exit', () => child.kill('SIGKILL'));
  child.unref();
  child.channel?.unref();
  return child;
}

function encode({ method, path, headers, body }: Call): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${lines.join('')}${length}\r\n${body ?? ''}`;
}
