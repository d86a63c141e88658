/** Why nothing more comes: there was no room, the place is lost, or whoever put it in has ended. */
export type End = 'full' | 'lost' | 'closed';

export interface Taken<Item> {
  batch: Item[];
  /** Set once everything that had come was taken. */
  end: End | null;
}

export interface Inbox<Item> {
  /** @returns whether there was room; when not, nothing more is taken in */
  put(item: Item): boolean;
  end(why: End): void;
  /** What has come, in its order; waits up to `waitMs` for something. */
  take(limit: number, waitMs: number, signal: AbortSignal): Promise<Taken<Item>>;
}

/** Holds what comes by itself until somebody has time for it. */
export function createInbox<Item>(room: number): Inbox<Item> {
  let items: Item[] = [];
  let end: End | null = null;
  let wake: (() => void) | null = null;

  return {
    put(item) {
      if (end === null && items.length >= room) end = 'full';
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
          const go = () => {
            clearTimeout(timer);
            // It may live as long as the process.
            signal.removeEventListener('abort', go);
            resolve();
          };
          const timer = setTimeout(go, waitMs);
          wake = go;
          signal.addEventListener('abort', go, { once: true });
          if (signal.aborted) go();
        });
        wake = null;
      }
      const batch = items.slice(0, limit);
      items = items.slice(limit);
      return { batch, end: items.length === 0 ? end : null };
    },
  };
}
