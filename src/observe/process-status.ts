import {
  eventsDelivered,
  liveConnections,
  requestErrors,
  requestSeconds,
  sockets,
  subscriptions,
} from './metrics/definitions.ts';
import { type LoopDelay, measureProcess, type ProcessMetrics } from './metrics/process-metrics.ts';

/** Length of a period of {@link RateSeries}. */
export const PERIOD_MS = 10_000;
/** Periods that are kept: 15 minutes. */
export const PERIODS = 90;

/** Counts per period. */
export interface PeriodCounts {
  requests: number;
  /** Requests that were answered with an error of any kind. */
  errors: number;
  /** Requests that failed by a fault or an outage of the server. */
  serverErrors: number;
  /** Deliveries of events to subscribers. */
  events: number;
}

/** What one process reports about itself. Plain JSON, since processes send it to each other. */
export interface ProcessStatus {
  /** When the process started, in milliseconds since 1970. */
  startedAt: number;
  sockets: number;
  connections: number;
  subscriptions: number;
  loopDelay: LoopDelay;
  /** Bytes. */
  residentMemory: number;
  heapUsed: number;
  /** Complete periods, oldest first. Periods have the same numbers in all processes: the time divided by their length. */
  periods: Array<[period: number, counts: PeriodCounts]>;
}

const SERVER_ERRORS = new Set(['INTERNAL', 'UNAVAILABLE']);

// Module state, because it describes the whole process. Several gateways in one process, as in tests, share it.
let users = 0;
let recorder: Recorder | null = null;

interface Recorder {
  status(): Promise<ProcessStatus>;
  close(): void;
}

/** Starts to record the status of this process. @returns a function that ends it */
export function recordStatus(version: string): () => void {
  users += 1;
  recorder ??= startRecorder(measureProcess(version));
  return () => {
    users -= 1;
    if (users > 0) return;
    recorder?.close();
    recorder = null;
  };
}

/** The status of this process; null unless it is recorded. */
export async function processStatus(): Promise<ProcessStatus | null> {
  return recorder ? recorder.status() : null;
}

function startRecorder(metrics: ProcessMetrics): Recorder {
  const periods: ProcessStatus['periods'] = [];
  let before = totals();
  let timer = schedule();

  /** Ends each period when its number ends, so that those of several processes can be added. */
  function schedule(): NodeJS.Timeout {
    return setTimeout(endPeriod, PERIOD_MS - (Date.now() % PERIOD_MS)).unref();
  }

  function endPeriod(): void {
    const now = totals();
    const counts = Object.fromEntries(
      Object.entries(now).map(([name, total]) => [name, total - before[name as keyof PeriodCounts]]),
    ) as unknown as PeriodCounts;
    before = now;
    // A timer may fire just before or long after the end.
    periods.push([Math.round(Date.now() / PERIOD_MS) - 1, counts]);
    if (periods.length > PERIODS) periods.shift();
    metrics.endPeriod();
    timer = schedule();
  }

  return {
    async status() {
      const [openSockets, connections, open] = await Promise.all([
        sockets.total(),
        liveConnections.total(),
        subscriptions.total(),
      ]);
      const { rss, heapUsed } = process.memoryUsage();
      return {
        startedAt: performance.timeOrigin,
        sockets: openSockets,
        connections,
        subscriptions: open,
        loopDelay: metrics.loopDelay(),
        residentMemory: rss,
        heapUsed,
        periods: [...periods],
      };
    },
    close() {
      clearTimeout(timer);
      metrics.close();
    },
  };
}

function totals(): PeriodCounts {
  return {
    requests: requestSeconds.total(),
    errors: requestErrors.total(),
    serverErrors: requestErrors.totalWhere((_transport, _operation, code) => SERVER_ERRORS.has(code)),
    events: eventsDelivered.total(),
  };
}
