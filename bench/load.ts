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
  /** Of the server and of the store. */
  pids: readonly [number, number];
}

export interface Slice extends Latencies {
  requestsPerSecond: number;
  /** Processor time a request in microseconds, of the server and of the store. */
  serverUs: number;
  storeUs: number;
}

/** The share of a slice that passes before anything counts: all connections are in step when it begins. */
const LEAD_IN = 0.25;

/** Keeps `connections` requests under way for a while. Any answer but 200 ends the run. */
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
      // Stopped below: autocannon itself counts in whole seconds.
      duration: 3_600,
      // In seconds: a machine that is busy beyond measure still answers.
      timeout: 60,
      // How soon it notices that it was stopped.
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
  await passed(milliseconds * LEAD_IN);
  durations = [];
  const begun = performance.now();
  const before = pids.map(processorMs);
  await passed(milliseconds * (1 - LEAD_IN));
  const elapsed = performance.now() - begun;
  const used = pids.map((pid, place) => processorMs(pid) - before[place]!);
  const counted = durations;
  // Whatever still comes until the connections are closed belongs to no slice.
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

const passed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Until what was still under way is done, so that it does not weigh on the next slice. */
async function untilIdle(pids: readonly number[]): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  for (let before = Number.NEGATIVE_INFINITY, now = used(); now - before > 10; now = used()) {
    before = now;
    await passed(80);
  }
}
