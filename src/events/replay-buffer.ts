import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { Cursor } from './cursor.ts';
import type { LiveEvent } from './log.ts';

/** The newest events of the log in memory. Most subscribers resume from it, since they reconnect within seconds. */
export interface ReplayBuffer {
  push(live: LiveEvent): void;
  /** Events after a position; null when the position is older than the buffer. */
  after(position: Cursor): LiveEvent[] | null;
  find(eventId: string): LiveEvent | null;
  /** Begins to extend the buffer to an earlier position. */
  extendTo(earlier: Cursor): Extension;
  /** The buffer holds every event after this position. */
  readonly start: Cursor;
}

/** The events between an earlier position and the start of the buffer, in order. */
export interface Extension {
  /** The start of the buffer: the last event to add is the last one up to it. */
  readonly until: Cursor;
  /** @returns whether there was room for the event */
  add(live: LiveEvent): boolean;
  /** Extends the buffer, unless it has dropped events meanwhile. */
  finish(): void;
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
    extendTo(earlier) {
      const until = from;
      const older: LiveEvent[] = [];
      const olderSizes: number[] = [];
      let olderBytes = 0;
      return {
        until,
        add(live) {
          const size = estimateBytes(live);
          older.push(live);
          olderSizes.push(size);
          olderBytes += size;
          return older.length + events.length < capacity * 2 && olderBytes + bytes <= MAX_BYTES;
        },
        finish() {
          // Events that were dropped would be a gap.
          if (from !== until) return;
          from = earlier;
          events = [...older, ...events];
          sizes = [...olderSizes, ...sizes];
          bytes += olderBytes;
          trim();
        },
      };
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
