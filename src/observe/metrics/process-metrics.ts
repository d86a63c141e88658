import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import {
  buildInfo,
  cpuSeconds,
  eventLoopDelay,
  eventLoopUtilization,
  externalBytes,
  heapTotalBytes,
  heapUsedBytes,
  residentBytes,
  startSeconds,
} from './definitions.ts';

/** Delay of the event loop in one period. */
export interface LoopDelay {
  /** In seconds. */
  p50: number;
  p99: number;
  max: number;
  /** Share of the time in which the event loop was busy, 0 to 1. */
  utilization: number;
}

/** How often the delay of a timer is measured. */
const RESOLUTION_MS = 20;

export interface ProcessMetrics {
  /** Ends a period of the event loop's delay, and begins the next one. */
  endPeriod(): void;
  /** The last complete period; of a young process, the time so far. */
  loopDelay(): LoopDelay;
  close(): void;
}

/** Measures processor time, memory and event loop of this process. */
export function measureProcess(version: string): ProcessMetrics {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let utilizationBefore = performance.eventLoopUtilization();
  let last: LoopDelay | null = null;

  function current(): LoopDelay {
    const { utilization } = performance.eventLoopUtilization(utilizationBefore);
    // The histogram contains the intervals between measurements.
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);
    if (delays.count === 0) return { p50: 0, p99: 0, max: 0, utilization };
    const [p50, p99] = [delays.percentile(50), delays.percentile(99)];
    return { p50: seconds(p50), p99: seconds(p99), max: seconds(delays.max), utilization };
  }

  const loopDelay = () => last ?? current();
  const removers = [
    eventLoopDelay.readFrom(() => {
      const { p50, p99, max } = loopDelay();
      return [
        [['0.5'], p50],
        [['0.99'], p99],
        [['1'], max],
      ];
    }),
    eventLoopUtilization.readFrom(() => loopDelay().utilization),
    cpuSeconds.readFrom(() => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    }),
    residentBytes.readFrom(() => process.memoryUsage.rss()),
    heapUsedBytes.readFrom(() => process.memoryUsage().heapUsed),
    heapTotalBytes.readFrom(() => process.memoryUsage().heapTotal),
    externalBytes.readFrom(() => process.memoryUsage().external),
    startSeconds.readFrom(() => performance.timeOrigin / 1e3),
    buildInfo.readFrom(() => [[[version, process.version], 1]]),
  ];
  return {
    loopDelay,
    endPeriod() {
      last = current();
      delays.reset();
      utilizationBefore = performance.eventLoopUtilization();
    },
    close() {
      delays.disable();
      for (const remove of removers) remove();
    },
  };
}
