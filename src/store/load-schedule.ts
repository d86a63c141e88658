/** Loads of a higher rank wait until none of a lower rank is running or waiting. */
export type Rank = 0 | 1 | 2;

/** When the loaders of one request send their keys. */
export interface LoadSchedule {
  /** Reports that a load begins; call the result when it ends. */
  begin(rank: Rank): () => void;
  /** Sends keys of rank 0 after everything that is ready to run, others when no load of a lower rank is left. */
  whenIdle(rank: Rank, send: () => void): void;
}

const RESOLVED = Promise.resolve();

export function createLoadSchedule(): LoadSchedule {
  const running = [0, 0, 0];
  const waiting: Array<Array<() => void>> = [[], [], []];
  let isReleasing = false;

  function scheduleRelease(): void {
    if (isReleasing) return;
    isReleasing = true;
    setImmediate(release);
  }

  function release(): void {
    isReleasing = false;
    for (let rank = 0; rank < waiting.length; rank += 1) {
      const sends = waiting[rank]!;
      waiting[rank] = [];
      for (const send of sends) send();
      // Loads of cached keys only do not call `scheduleRelease` when they end: schedule it here in any case.
      if (sends.length > 0) scheduleRelease();
      if (sends.length > 0 || running[rank]! > 0) return;
    }
  }

  return {
    begin(rank) {
      running[rank]! += 1;
      return () => {
        running[rank]! -= 1;
        scheduleRelease();
      };
    },
    whenIdle(rank, send) {
      if (rank === 0) {
        // `nextTick` from a microtask runs after all other microtasks.
        void RESOLVED.then(() => process.nextTick(send));
        return;
      }
      waiting[rank]!.push(send);
      scheduleRelease();
    },
  };
}
