/** Interval of the timer that detects a blocked event loop, in milliseconds. */
const TICK_MS = 50;

// Module state: a process has one event loop, and one timer observes it for all timeouts.
let lastTick = 0;
/** Milliseconds for which the event loop was blocked, counted while a timeout is pending. */
let blockedMs = 0;
/** Number of pending timeouts. */
let pending = 0;
let ticker: NodeJS.Timeout | undefined;

function tick(): void {
  const now = performance.now();
  blockedMs += Math.max(0, now - lastTick - TICK_MS);
  lastTick = now;
  if (pending > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}

/** Counts one more pending timeout. The timer stops only when it finds none: most requests begin soon after another. */
function observe(now: number): void {
  pending += 1;
  if (ticker) return;
  lastTick = now;
  ticker = setInterval(tick, TICK_MS);
  ticker.unref();
}

/** Reads a clock that stops while the event loop is blocked. */
function responsiveTime(now: number): number {
  // After a block an earlier timer may run before the tick does.
  return now - blockedMs - Math.max(0, now - lastTick - TICK_MS);
}

/** When a timeout expires: on the clock that stops, and at the latest in `performance.now()` time. */
interface Due {
  due: number;
  latest: number;
}

function dueIn(milliseconds: number): Due {
  const now = performance.now();
  observe(now);
  return { due: responsiveTime(now) + milliseconds, latest: now + 2 * milliseconds };
}

function millisecondsUntil({ due, latest }: Due): number {
  const now = performance.now();
  return Math.min(due - responsiveTime(now), latest - now);
}

/**
 * Calls `expire` after `milliseconds`, not counting time in which the event loop was blocked, and after twice that time at
 * the latest. While the loop is blocked, replies arrive but are not read. Node runs timers before it reads them, so a
 * plain timeout would expire although the database had answered.
 * @returns a function that cancels the timeout
 */
export function setResponsiveTimeout(expire: () => void, milliseconds: number): () => void {
  const due = dueIn(milliseconds);
  let isOver = false;
  let timer = setTimeout(check, milliseconds);

  function check(): void {
    const left = millisecondsUntil(due);
    if (left >= 1) {
      timer = setTimeout(check, left);
      return;
    }
    cancel();
    expire();
  }

  function cancel(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    pending -= 1;
  }

  return cancel;
}

interface Waiting extends Due {
  expire: () => void;
}

/**
 * Returns {@link setResponsiveTimeout} for one duration. Its timeouts expire in the order in which they were set, so one
 * timer serves them all.
 */
export function createResponsiveTimeouts(milliseconds: number): (expire: () => void) => () => void {
  /** In the order in which they expire. */
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    timer = undefined;
    for (const next of waiting) {
      const left = millisecondsUntil(next);
      if (left >= 1) {
        arm(left);
        return;
      }
      remove(next);
      next.expire();
    }
  }

  function arm(delay: number): void {
    timer = setTimeout(check, delay);
    // It outlasts timeouts that are cancelled.
    timer.unref();
  }

  function remove(timeout: Waiting): void {
    if (waiting.delete(timeout)) pending -= 1;
  }

  return (expire) => {
    const { due, latest } = dueIn(milliseconds);
    const timeout: Waiting = { due, latest, expire };
    waiting.add(timeout);
    if (!timer) arm(milliseconds);
    return () => remove(timeout);
  };
}
