import { reportsOfAll } from './all-processes.ts';
import type { LoopDelay } from './metrics/process-metrics.ts';
import { PERIOD_MS, PERIODS, type PeriodCounts, type ProcessStatus } from './process-status.ts';

/** The processes of a gateway together. */
export interface ServerStatus {
  /** When the oldest process started. */
  startedAt: Date;
  processes: number;
  sockets: number;
  connections: number;
  subscriptions: number;
  /** Bytes. */
  residentMemory: number;
  heapUsed: number;
  /** The largest values of any process, in seconds. */
  loopDelay: LoopDelay;
  traffic: Traffic;
}

/** Rates of the last 15 minutes. */
export interface Traffic {
  /** Start of the first period. */
  from: Date;
  periodSeconds: number;
  /** Per second, one for each period, oldest first. */
  rates: { [Name in keyof PeriodCounts]: number[] };
}

/** The status of all processes that serve with this one; processes that do not report in time are left out. */
export async function readServerStatus(now: Date): Promise<ServerStatus> {
  const statuses = (await reportsOfAll('status')).filter((status) => status !== null);
  const sum = (read: (status: ProcessStatus) => number) => statuses.reduce((total, status) => total + read(status), 0);
  const largest = (read: (status: ProcessStatus) => number) => Math.max(0, ...statuses.map(read));
  return {
    startedAt: new Date(Math.min(now.getTime(), ...statuses.map(({ startedAt }) => startedAt))),
    processes: statuses.length,
    sockets: sum(({ sockets }) => sockets),
    connections: sum(({ connections }) => connections),
    subscriptions: sum(({ subscriptions }) => subscriptions),
    residentMemory: sum(({ residentMemory }) => residentMemory),
    heapUsed: sum(({ heapUsed }) => heapUsed),
    loopDelay: {
      p50: largest(({ loopDelay }) => loopDelay.p50),
      p99: largest(({ loopDelay }) => loopDelay.p99),
      max: largest(({ loopDelay }) => loopDelay.max),
      utilization: largest(({ loopDelay }) => loopDelay.utilization),
    },
    traffic: trafficOf(statuses, now),
  };
}

/** Adds the periods of all processes up to the last complete one. Periods that no process has recorded count as 0. */
export function trafficOf(statuses: ReadonlyArray<Pick<ProcessStatus, 'periods'>>, now: Date): Traffic {
  const end = Math.floor(now.getTime() / PERIOD_MS);
  const known = statuses.flatMap(({ periods }) => periods.map(([period]) => period));
  const first = Math.max(end - PERIODS, Math.min(end, ...known));
  const zeros = () => new Array<number>(end - first).fill(0);
  const rates: Traffic['rates'] = { requests: zeros(), errors: zeros(), serverErrors: zeros(), events: zeros() };
  for (const { periods } of statuses) {
    for (const [period, counts] of periods) {
      if (period < first || period >= end) continue;
      for (const name of Object.keys(rates) as Array<keyof PeriodCounts>)
        rates[name][period - first]! += counts[name] / (PERIOD_MS / 1_000);
    }
  }
  return { from: new Date(first * PERIOD_MS), periodSeconds: PERIOD_MS / 1_000, rates };
}
