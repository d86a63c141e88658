import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { Cursor } from './cursor.ts';
import type { LiveEvent } from './log.ts';

/** The newest events of the log in memory. Most subscribers resume from it, since they reconnect within seconds. */
export interface ReplayBuffer {
  push(live: LiveEvent): void;
  /** Events after a position; null when the position is older than the buffer. */
  after(position: Cursor): LiveEvent[] | null;
  find(eventId: string): LiveEvent | null;
  /** Prepends the events between an earlier position and the original start. */
  prepend(earlier: Cursor, events: readonly LiveEvent[]): void;
  /** The buffer holds every event after this position. */
  readonly start: Cursor;
}

/** Maximum heap use of the events; beyond it the older half is dropped. */
const MAX_BYTES = 4 * 1_048_576;

/** @param start position of the log when the buffer is created @param capacity minimum number of events kept */
export function createReplayBuffer(start: Cursor, capacity: number): ReplayBuffer {
  let events: LiveEvent[] = [];
  let sizes: number[] = [];
  let bytes = 0;
  let from = start;

  function trim(): void {
    const isFull = events.length >= capacity * 2;
    if (!isFull && bytes <= MAX_BYTES) return;
    const excess = isFull ? events.length - capacity : Math.ceil(events.length / 2);
    from = events[excess - 1]!.cursor;
    events = events.slice(excess);
    sizes = sizes.slice(excess);
    bytes = sum(sizes);
  }

  return {
    get start() {
      return from;
    },
    push(live) {
      const size = estimateBytes(live);
      events.push(live);
      sizes.push(size);
      bytes += size;
      trim();
    },
    prepend(earlier, older) {
      // The buffer has already dropped events, so older ones would leave a gap.
      if (from !== start) return;
      from = earlier;
      events = [...older, ...events];
      sizes = [...older.map(estimateBytes), ...sizes];
      bytes = sum(sizes);
      trim();
    },
    find: (eventId) => events.findLast(({ event }) => event.eventId === eventId) ?? null,
    after(position) {
      if (position < from) return null;
      let low = 0;
      let high = events.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (events[middle]!.cursor > position) high = middle;
        else low = middle + 1;
      }
      return events.slice(low);
    },
  };
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
