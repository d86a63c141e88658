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

/** Keeps `connections` requests under way for a while. Any answer but 200 ends the run. */
export async function slice({ url, connections, milliseconds, call, pids }: Load): Promise<Slice> {
  const durations: number[] = [];
  const failures: string[] = [];
  let index = 0;
  const before = pids.map(processorMs);
  const begun = performance.now();
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = autocannon(
    {
      url,
      connections,
      // Stopped below: autocannon itself counts in whole seconds.
      duration: 3_600,
      requests: [{ setupRequest: (request) => ({ ...request, ...call(index++) }) }],
    },
    () => end(),
  );
  run.on('response', (_client, status, _bytes, duration) => {
    durations.push(duration);
    if (status !== 200) failures.push(`${status}`);
  });
  run.on('reqError', (error: unknown) => failures.push(String(error)));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const elapsed = performance.now() - begun;
  const after = pids.map(processorMs);
  const count = durations.length;
  const perCall = (place: 0 | 1) => ((after[place]! - before[place]!) * 1_000) / count;
  run.stop();
  await ended;
  await untilIdle(pids);
  if (failures.length > 0) throw new Error(`${url} answered ${[...new Set(failures)].join(', ')}`);
  return {
    ...latenciesOf(durations),
    requestsPerSecond: (count * 1_000) / elapsed,
    serverUs: perCall(0),
    storeUs: perCall(1),
  };
}

/** Until what was still under way is done, so that it does not weigh on the next slice. */
async function untilIdle(pids: readonly number[]): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  for (let before = Number.NEGATIVE_INFINITY, now = used(); now - before > 10; now = used()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
}
