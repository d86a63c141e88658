import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { Cursor } from './cursor.ts';
import type { LiveEvent } from './log.ts';

/** The newest part of the log, in memory: most who come back were away for a moment only. */
export interface ReplayBuffer {
  push(live: LiveEvent): void;
  /** What came after a place; null when that reaches back further than the ring. */
  after(place: Cursor): LiveEvent[] | null;
  find(eventId: string): LiveEvent | null;
  /** Puts before what has come since it was made what came between an earlier place and that. */
  fill(earlier: Cursor, events: readonly LiveEvent[]): void;
  /** From here on everything is there. */
  readonly start: Cursor;
}

/** Heap that the events hold at most; beyond it the older half is dropped. */
const MAX_BYTES = 4 * 1_048_576;

/** @param start where the log was when nothing had come yet */
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
    fill(earlier, older) {
      // What is full already has left behind where it began.
      if (from !== start) return;
      from = earlier;
      events = [...older, ...events];
      sizes = [...older.map(estimateBytes), ...sizes];
      bytes = sum(sizes);
      trim();
    },
    find: (eventId) => events.findLast(({ event }) => event.eventId === eventId) ?? null,
    after(place) {
      if (place < from) return null;
      let low = 0;
      let high = events.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (events[middle]!.cursor > place) high = middle;
        else low = middle + 1;
      }
      return events.slice(low);
    },
  };
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
