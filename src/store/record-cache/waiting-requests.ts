/**
 * How long a request waits for changes before it reads the database instead. Tests on slow machines change it, where a
 * cache would hardly be used otherwise.
 */
export const MAX_WAIT = { ms: 20 };
/** How long requests do not wait after one has waited without success. */
const BYPASS_MS = 100;

interface Waiter {
  target: bigint;
  until: number;
  resolve(isReached: boolean): void;
}

/** Requests that wait until the changes up to a cluster time are applied. */
export interface WaitingRequests {
  readonly isEmpty: boolean;
  /** Whether another request may wait: none has just waited without success. */
  mayWait(): boolean;
  /** Waits for up to {@link MAX_WAIT}. @returns whether the position has reached the target */
  wait(target: bigint): Promise<boolean>;
  /** Releases the requests whose target a position has reached, and those that have waited for too long. */
  release(position: bigint): void;
  /** Releases all requests without success. */
  abandon(): void;
}

/** @param onOverdue called while requests wait, at least once in {@link MAX_WAIT}, also if no changes arrive */
export function createWaitingRequests(onOverdue: () => void): WaitingRequests {
  let waiters: Waiter[] = [];
  let timer: NodeJS.Timeout | null = null;
  let bypassUntil = 0;

  function watch(): void {
    if (timer || waiters.length === 0) return;
    timer = setTimeout(() => {
      timer = null;
      onOverdue();
      watch();
    }, MAX_WAIT.ms);
  }

  return {
    get isEmpty() {
      return waiters.length === 0;
    },
    mayWait: () => performance.now() >= bypassUntil,
    wait(target) {
      const waited = new Promise<boolean>((resolve) => {
        waiters.push({ target, until: performance.now() + MAX_WAIT.ms, resolve });
      });
      watch();
      return waited;
    },
    release(position) {
      const now = performance.now();
      const released = waiters.filter(({ target, until }) => target <= position || until <= now);
      if (released.length === 0) return;
      waiters = waiters.filter(({ target, until }) => target > position && until > now);
      if (released.some(({ target }) => target > position)) bypassUntil = now + BYPASS_MS;
      for (const { target, resolve } of released) resolve(target <= position);
    },
    abandon() {
      if (timer) clearTimeout(timer);
      timer = null;
      for (const { resolve } of waiters.splice(0)) resolve(false);
    },
  };
}
