/** How often the event loop shows that it is free, in milliseconds. */
const TICK_MS = 50;

let lastTick = 0;
/** Milliseconds for which the event loop was blocked since the process started, as far as any timeout looked. */
let blockedMs = 0;
let pending = 0;
let ticker: NodeJS.Timeout | undefined;

function tick(): void {
  const now = performance.now();
  blockedMs += Math.max(0, now - lastTick - TICK_MS);
  lastTick = now;
}

/** Time in which the event loop was free. */
function responsiveNow(): number {
  const now = performance.now();
  // After a block an earlier timer may run before the tick does.
  return now - blockedMs - Math.max(0, now - lastTick - TICK_MS);
}

/**
 * Calls `expire` after `milliseconds` in which the event loop was free. While it is blocked, replies arrive and are not
 * read, and Node runs timers before it reads them: a plain timeout would give up on a database that had answered. What
 * is waited in all is bounded by twice the time.
 * @returns a function that cancels it
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
