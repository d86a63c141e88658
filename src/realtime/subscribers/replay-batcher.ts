import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Work that has just been done several times is done again when the next interval of this length begins. */
const INTERVAL_MS = 250;
const FIRST_TIMES = 4;
/** Keys whose work is counted. */
const MAX_COUNTED = 5_000;

export interface ReplayBatcherOptions<Request, Result> {
  /** Works on all requests of a batch; there is at least one. */
  work(requests: readonly Request[]): Promise<Result>;
  /** Limits concurrent work; the batch takes further requests while it waits. @default no limit */
  admit?(work: () => Promise<Result>): Promise<Result>;
}

/** Adds a request to the batch of its key, and resolves with the result for the whole batch. */
export type ReplayBatcher<Request, Result> = (key: string, request: Request) => Promise<Result>;

/**
 * After a restart, thousands of clients resume from the same events. Requests with the same key that wait for their work to
 * begin share it. Later requests get new work, so that no subscriber receives data older than its request. When they
 * follow each other quickly, they wait, so that more of them share: after four times, work with a key begins at most once
 * in each interval. Intervals begin at the same times for all keys, so that a socket receives its missed events in few writes.
 */
export function createReplayBatcher<Request, Result>({
  work,
  admit = (admitted) => admitted(),
}: ReplayBatcherOptions<Request, Result>): ReplayBatcher<Request, Result> {
  const waiting = new Map<string, { requests: Request[]; result: Promise<Result> }>();
  /** By key: the last interval in which work began, and how often it did in this and in the intervals just before. */
  const begun = new LRUCache<string, { interval: number; count: number }>({ max: MAX_COUNTED });

  async function limitRate(key: string): Promise<void> {
    const now = performance.now();
    const current = Math.floor(now / INTERVAL_MS);
    const last = begun.get(key);
    const count = last === undefined || last.interval < current - 1 ? 1 : last.count + 1;
    const waits = count > FIRST_TIMES;
    begun.set(key, { interval: waits ? current + 1 : current, count });
    if (waits) await pause((current + 1) * INTERVAL_MS - now);
  }

  async function begin(key: string, requests: readonly Request[]): Promise<Result> {
    // Includes requests of the same iteration of the event loop.
    await yieldToEventLoop();
    waiting.delete(key);
    return work(requests);
  }

  function createBatch(key: string) {
    const requests: Request[] = [];
    const batch = { requests, result: limitRate(key).then(() => admit(() => begin(key, requests))) };
    waiting.set(key, batch);
    return batch;
  }

  return (key, request) => {
    const { requests, result } = waiting.get(key) ?? createBatch(key);
    requests.push(request);
    return result;
  };
}
