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
}

/** Reads a clock that stops while the event loop is blocked. */
function responsiveNow(): number {
  const now = performance.now();
  // After a block an earlier timer may run before the tick does.
  return now - blockedMs - Math.max(0, now - lastTick - TICK_MS);
}

/**
 * Calls `expire` after `milliseconds`, not counting time in which the event loop was blocked, and after twice that time at
 * the latest. While the loop is blocked, replies arrive but are not read. Node runs timers before it reads them, so a
 * plain timeout would expire although the database had answered.
 * @returns a function that cancels the timeout
 */
export function setResponsiveTimeout(expire: () => void, milliseconds: number): () => void {
  if (pending === 0) {
    lastTick = performance.now();
    ticker = setInterval(tick, TICK_MS);
    ticker.unref();
  }
  pending += 1;
  const latest = performance.now() + 2 * milliseconds;
  const due = responsiveNow() + milliseconds;
  let isOver = false;
  let timer = setTimeout(check, milliseconds);

  function check(): void {
    const left = Math.min(due - responsiveNow(), latest - performance.now());
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
    if (pending === 0) clearInterval(ticker);
  }

  return cancel;
}
