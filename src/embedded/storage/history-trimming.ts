import type { ChangeLog } from './change-log/change-log.ts';
import type { WriteQueue } from './group-commit.ts';
import type { Storage } from './storage.ts';

/** How much history is kept for resuming change streams; the oldest changes are removed first. */
export interface HistoryLimits {
  bytes: number;
  ms: number;
}

/** The number of changes removed in one commit. */
const CHANGES_PER_COMMIT = 500;
/** The log is trimmed to its size again after this fraction of the limit was appended. */
const SIZE_FRACTION = 1 / 64;
/** Age and size are checked at an interval of this fraction of the age limit, at most {@link LONGEST_INTERVAL_MS}. */
const AGE_FRACTION = 1 / 16;
const LONGEST_INTERVAL_MS = 60_000;

export interface HistoryParts {
  log: ChangeLog;
  queue: WriteQueue;
  storage: Pick<Storage, 'changesSize'>;
  limits: HistoryLimits;
  warn(message: string): void;
}

/** Keeps the change log within its limits of size and age; returns a function that stops it. */
export function startHistoryTrimming({ log, queue, storage, limits, warn }: HistoryParts): () => void {
  let isTrimming = false;
  let isStopped = false;
  let lastCheckedSize = storage.changesSize();

  function trimOnce(): number {
    const excess = storage.changesSize() - limits.bytes;
    const oldest = Date.now() - limits.ms;
    return log.trim(CHANGES_PER_COMMIT, (entry, removed) => removed < excess || entry.wallTime < oldest);
  }

  async function trim(): Promise<void> {
    if (isTrimming) return;
    isTrimming = true;
    try {
      let removed = CHANGES_PER_COMMIT;
      while (removed === CHANGES_PER_COMMIT && !isStopped) removed = await queue.run(trimOnce);
    } catch (error) {
      warn(`the change log could not be trimmed: ${error instanceof Error ? error.message : String(error)}`);
    }
    lastCheckedSize = storage.changesSize();
    isTrimming = false;
  }

  const isTooOld = (): boolean => (log.oldest()?.wallTime ?? Number.POSITIVE_INFINITY) < Date.now() - limits.ms;
  const stopListening = log.onMore(() => {
    if (isTrimming) return;
    const size = storage.changesSize();
    if (size > limits.bytes && size - lastCheckedSize > limits.bytes * SIZE_FRACTION) void trim();
  });
  const timer = setInterval(
    () => {
      if (storage.changesSize() > limits.bytes || isTooOld()) void trim();
    },
    Math.min(LONGEST_INTERVAL_MS, limits.ms * AGE_FRACTION),
  );
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
    stopListening();
  };
}
