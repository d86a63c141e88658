import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Cursor, cursorAt, timeOf } from './cursor.ts';
import { readEvents } from './log.ts';
import type { ReplayBuffer } from './replay-buffer.ts';

/**
 * Extends the buffer to a position, once for all subscribers that wait for it: those of a process that was restarted return
 * within a moment.
 *
 * @returns whether the buffer begins at the position or before; false when the events do not fit or cannot be read
 */
export type LoadMissed = (buffer: ReplayBuffer, to: Cursor) => Promise<boolean>;

/** How far back the buffer may be extended: the gateway was down for this time at most. */
const MAX_BACK_MS = 15 * 60_000;
/** Time limit of one load, for a database that hardly answers. */
const LOAD_MS = 15_000;
/** Loads from positions of other subscribers that may fail before a subscriber reads by itself. */
const MAX_FAILED = 3;
/** How long a load waits for other subscribers, whose positions may be older. */
const GATHER_MS = 10;

interface Outcome {
  from: Cursor;
  isLoaded: boolean;
}

/**
 * The first position of the second of a cursor. The buffer begins there: a cursor of a client may be forged, so that the
 * server skips an event which sorts behind it, and all other subscribers would lose that event.
 */
const beginOf = (cursor: Cursor): Cursor => cursorAt(timeOf(cursor));

/** @param stopped aborted when the process shuts down */
export function createMissedLoader(db: Db, stopped: AbortSignal): LoadMissed {
  const waiting = new Set<{ from: Cursor }>();
  /** The newest position after which there were too many events. */
  let tooFar: Cursor = '';
  let loading: Promise<Outcome> | null = null;

  async function load(buffer: ReplayBuffer): Promise<Outcome> {
    await pause(GATHER_MS);
    const from = [...waiting].map((one) => one.from).sort()[0]!;
    const extension = buffer.extendTo(from);
    const read = new AbortController();
    const { signal } = read;
    const end = () => read.abort();
    stopped.addEventListener('abort', end, { once: true });
    const timeout = setTimeout(end, LOAD_MS);
    try {
      const isWhole = await readEvents(db, { from, until: extension.until, onEvent: extension.add, signal });
      if (isWhole) extension.finish();
      else if (from > tooFar) tooFar = from;
    } catch {
      // A subscriber that reads by itself gets the error.
    } finally {
      clearTimeout(timeout);
      stopped.removeEventListener('abort', end);
    }
    return { from, isLoaded: buffer.start <= from };
  }

  return async (buffer, to) => {
    const own = { from: beginOf(to) };
    waiting.add(own);
    let failed = 0;
    try {
      while (buffer.start > to) {
        const isTooOld = own.from <= tooFar || timeOf(buffer.start) - timeOf(to) > MAX_BACK_MS;
        if (isTooOld || failed === MAX_FAILED || stopped.aborted) return false;
        loading ??= load(buffer).finally(() => {
          loading = null;
        });
        const { from, isLoaded } = await loading;
        if (isLoaded) continue;
        if (from === own.from) return false;
        failed += 1;
      }
      return true;
    } finally {
      waiting.delete(own);
    }
  };
}
