/** Why a queue accepts no more items: it is full, the log no longer holds the next events, or the source has closed. */
export type End = 'full' | 'lost' | 'closed';

export interface Taken<Item> {
  batch: Item[];
  /** Set when the queue has ended and this is the last batch. */
  end: End | null;
}

export interface BoundedQueue<Item> {
  /** @returns whether there was room; a full queue ends and accepts no more items */
  put(item: Item): boolean;
  end(why: End): void;
  /** Removes up to `limit` items in order; waits up to `waitMs` for the first one. */
  take(limit: number, waitMs: number, signal: AbortSignal): Promise<Taken<Item>>;
}

/** Creates a queue of bounded length between a producer that cannot wait and a consumer that takes batches. */
export function createBoundedQueue<Item>(capacity: number): BoundedQueue<Item> {
  let items: Item[] = [];
  let end: End | null = null;
  let wake: (() => void) | null = null;

  return {
    put(item) {
      if (end === null && items.length >= capacity) end = 'full';
      if (end !== null) return false;
      items.push(item);
      wake?.();
      return true;
    },
    end(why) {
      end ??= why;
      wake?.();
    },
    async take(limit, waitMs, signal) {
      if (items.length === 0 && end === null) {
        await new Promise<void>((resolve) => {
          const proceed = () => {
            clearTimeout(timer);
            // The signal may outlive this queue.
            signal.removeEventListener('abort', proceed);
            resolve();
          };
          const timer = setTimeout(proceed, waitMs);
          wake = proceed;
          signal.addEventListener('abort', proceed, { once: true });
          if (signal.aborted) proceed();
        });
        wake = null;
      }
      const batch = items.slice(0, limit);
      items = items.slice(limit);
      return { batch, end: items.length === 0 ? end : null };
    },
  };
}
