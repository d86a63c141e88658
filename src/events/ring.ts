import type { Cursor } from './cursor.ts';
import type { LiveEvent } from './log.ts';

/** The newest part of the log, in memory: most who come back were away for a moment only. */
export interface Ring {
  push(live: LiveEvent): void;
  /** What came after a place; null when that reaches back further than the ring. */
  after(place: Cursor): LiveEvent[] | null;
  find(eventId: string): LiveEvent | null;
  /** Puts before what has come since it was made what came between an earlier place and that. */
  fill(earlier: Cursor, events: readonly LiveEvent[]): void;
  /** From here on everything is there. */
  readonly start: Cursor;
}

/** @param start where the log was when nothing had come yet */
export function createRing(start: Cursor, capacity: number): Ring {
  let events: LiveEvent[] = [];
  let from = start;

  function trim(): void {
    if (events.length < capacity * 2) return;
    from = events[events.length - capacity - 1]!.cursor;
    events = events.slice(-capacity);
  }

  return {
    get start() {
      return from;
    },
    push(live) {
      events.push(live);
      trim();
    },
    fill(earlier, older) {
      // What is full already has left behind where it began.
      if (from !== start) return;
      from = earlier;
      events = [...older, ...events];
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
