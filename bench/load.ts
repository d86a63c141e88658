import autocannon from 'autocannon';
import { processorMs } from './process.ts';
import { type Latencies, latenciesOf } from './stats.ts';

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
  /** The `index`-th request of this slice. */
  call: (index: number) => Call;
  /** Processes of the server and of the store. */
  pids: readonly [number, number];
}

export interface Slice extends Latencies {
  requestsPerSecond: number;
  /** Processor time per request in microseconds, server and store. */
  serverUs: number;
  storeUs: number;
}

/** Share of a slice that is not measured, because all connections start in step. */
const LEAD_IN = 0.25;

/** Keeps `connections` requests in progress. Any status but 200 ends the run. */
export async function slice({ url, connections, milliseconds, call, pids }: Load): Promise<Slice> {
  let durations: number[] = [];
  const failures: string[] = [];
  let index = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = autocannon(
    {
      url,
      connections,
      // Stopped below, because autocannon counts in whole seconds.
      duration: 3_600,
      // Seconds; long enough for a very busy machine.
      timeout: 60,
      // Milliseconds until it notices that it was stopped.
      sampleInt: 20,
      requests: [{ setupRequest: (request) => ({ ...request, ...call(index++) }) }],
    },
    () => end(),
  );
  run.on('response', (_client, status, _bytes, duration) => {
    durations.push(duration);
    if (status !== 200) failures.push(`${status}`);
  });
  run.on('reqError', (error: unknown) => failures.push(String(error)));
  await pause(milliseconds * LEAD_IN);
  durations = [];
  const startedAt = performance.now();
  const before = pids.map(processorMs);
  await pause(milliseconds * (1 - LEAD_IN));
  const elapsed = performance.now() - startedAt;
  const used = pids.map((pid, place) => processorMs(pid) - before[place]!);
  const counted = durations;
  // Responses that arrive while the connections are closed belong to no slice.
  durations = [];
  run.stop();
  await ended;
  await untilIdle(pids);
  if (failures.length > 0) throw new Error(`${url} answered ${[...new Set(failures)].join(', ')}`);
  return {
    ...latenciesOf(counted),
    requestsPerSecond: (counted.length * 1_000) / elapsed,
    serverUs: (used[0]! * 1_000) / counted.length,
    storeUs: (used[1]! * 1_000) / counted.length,
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for requests in progress, so that they do not load the next slice. */
async function untilIdle(pids: readonly number[]): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  for (let before = Number.NEGATIVE_INFINITY, now = used(); now - before > 10; now = used()) {
    before = now;
    await pause(80);
  }
}
