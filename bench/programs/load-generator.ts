import { type HttpClient, openHttpClient } from '../http/client.ts';
import type { LoadOrder, LoadReport } from '../http/load-messages.ts';
import { usageOf, usedBetween } from '../http/usage.ts';
import { processorMs } from '../process.ts';

/** Sends HTTP requests from a process of its own, so that the work of the bench does not slow them down. */
const report = (message: LoadReport) => process.send!(message);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let stock: string[] = [];
let wanted = 0;
let isWaiting = false;
let feed = () => {};

process.on('message', (order: LoadOrder) => {
  if (order.type === 'requests') {
    for (const request of order.requests) stock.push(request);
    isWaiting = false;
    feed();
  } else {
    run(order).then(report, (error) => report({ type: 'failed', why: String(error) }));
  }
});
process.once('disconnect', () => process.exit(0));

/** Keeps one request in progress on each connection. */
async function run(order: Extract<LoadOrder, { type: 'run' }>): Promise<LoadReport> {
  stock = [...order.requests].reverse();
  wanted = stock.length / 2;
  isWaiting = false;
  let durations: number[] = [];
  let failure: string | null = null;
  let isRunning = true;
  const clients: HttpClient[] = [];
  const next = (client: HttpClient) => {
    if (!isRunning) return;
    const request = stock.pop();
    if (request !== undefined) client.send(request);
    if (stock.length < wanted && !isWaiting) {
      isWaiting = true;
      report({ type: 'more' });
    }
  };
  feed = () => {
    for (const client of clients) if (!client.isBusy()) next(client);
  };
  const url = new URL(order.url);
  for (let index = 0; index < order.connections; index += 1) {
    clients.push(
      await openHttpClient(url, {
        onResponse(milliseconds) {
          durations.push(milliseconds);
          next(clients[index]!);
        },
        onFailure: (why) => (failure ??= why),
      }),
    );
  }
  const { servers, store, bench } = order;
  const measured = { servers, store, client: process.pid, bench };
  for (const client of clients) next(client);
  await pause(order.leadInMs);
  durations = [];
  const startedAt = performance.now();
  const before = usageOf(measured);
  await pause(order.milliseconds);
  for (let waited = 0; durations.length === 0 && !failure && waited < 60_000; waited += 20) await pause(20);
  const elapsedMs = performance.now() - startedAt;
  const usage = usedBetween(before, usageOf(measured));
  const counted = durations;
  isRunning = false;
  // Requests in progress would load the next slice.
  for (let waited = 0; clients.some((client) => client.isBusy()) && waited < 60_000 && !failure; waited += 2)
    await pause(2);
  for (const client of clients) client.close();
  await untilIdle([...order.servers, order.store], Math.min(80, order.milliseconds / 4));
  if (failure) throw new Error(failure);
  if (counted.length === 0) throw new Error('no response within the slice');
  return { type: 'measured', durations: counted, elapsedMs, usage };
}

/** Waits for work after the last response, in steps of some milliseconds. */
async function untilIdle(pids: readonly number[], step: number): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  for (let before = Number.NEGATIVE_INFINITY, now = used(); now - before > 10; now = used()) {
    before = now;
    await pause(step);
  }
}
