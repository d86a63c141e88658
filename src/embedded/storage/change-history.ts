import type { ChangeLog } from './change-log/change-log.ts';
import type { WriteQueue } from './group-commit.ts';
import type { Storage } from './storage.ts';

/** How much history is kept for resuming change streams; the oldest changes are removed first. */
export interface HistoryLimits {
  bytes: number;
  ms: number;
}

/** The number of changes removed in one commit. */
const GROUP = 500;
/** The size of the log is checked whenever this part of the limit has been added. */
const SIZE_PARTS = 64;
/** The age of the log is checked at this interval. */
const AGE_PARTS = 16;
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

  function trimGroup(): number {
    const excess = storage.changesSize() - limits.bytes;
    const oldest = Date.now() - limits.ms;
    return log.trim(GROUP, (entry, removed) => removed < excess || entry.wallTime < oldest);
  }

  async function trim(): Promise<void> {
    if (isTrimming) return;
    isTrimming = true;
    try {
      let removed = GROUP;
      while (removed === GROUP && !isStopped) removed = await queue.run(trimGroup);
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
    if (size > limits.bytes && size - lastCheckedSize > limits.bytes / SIZE_PARTS) void trim();
  });
  const timer = setInterval(
    () => {
      if (storage.changesSize() > limits.bytes || isTooOld()) void trim();
    },
    Math.min(LONGEST_INTERVAL_MS, limits.ms / AGE_PARTS),
  );
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
    stopListening();
  };
}
