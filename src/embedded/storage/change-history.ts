import type { ChangeLog } from './change-log/change-log.ts';
import type { WriteQueue } from './group-commit.ts';
import type { Storage } from './storage.ts';

/** How much of the past a change stream can be resumed from; what is older or beyond the size goes first. */
export interface HistoryLimits {
  bytes: number;
  ms: number;
}

/** Changes leave in groups of this size, each in one commit with what is written meanwhile. */
const GROUP = 500;
/** Over its size, the log is cut whenever a part of what may be kept has been added. */
const SIZE_PARTS = 64;
/** And for its age so often. */
const AGE_PARTS = 16;
const LONGEST_INTERVAL_MS = 60_000;

export interface HistoryParts {
  log: ChangeLog;
  queue: WriteQueue;
  storage: Pick<Storage, 'changesSize'>;
  limits: HistoryLimits;
  warn(message: string): void;
}

/** Keeps the log of changes within its limits, as it grows and as it ages; returns how to stop. */
export function startHistoryTrimming({ log, queue, storage, limits, warn }: HistoryParts): () => void {
  let isTrimming = false;
  let isStopped = false;
  let sizeAtLastLook = storage.changesSize();

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
      warn(`the log of changes could not be cut: ${error instanceof Error ? error.message : String(error)}`);
    }
    sizeAtLastLook = storage.changesSize();
    isTrimming = false;
  }

  const isTooOld = (): boolean => (log.oldest()?.wallTime ?? Number.POSITIVE_INFINITY) < Date.now() - limits.ms;
  const stopListening = log.onMore(() => {
    if (isTrimming) return;
    const size = storage.changesSize();
    if (size > limits.bytes && size - sizeAtLastLook > limits.bytes / SIZE_PARTS) void trim();
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
