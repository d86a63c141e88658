import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Cursor, timeOf } from './cursor.ts';
import { readLog } from './log.ts';
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
/** The server reports the end of the log to a stream that has read everything after this time. */
export const MAX_WAIT_MS = 50;

interface Outcome {
  from: Cursor;
  isLoaded: boolean;
}

/** @param stopped aborted when the process shuts down */
export function createMissedLoader(db: Db, stopped: AbortSignal): LoadMissed {
  const waiting = new Set<{ to: Cursor }>();
  /** The newest position after which there were too many events. */
  let tooFar: Cursor = '';
  let loading: Promise<Outcome> | null = null;

  async function load(buffer: ReplayBuffer): Promise<Outcome> {
    await pause(GATHER_MS);
    const from = [...waiting].map(({ to }) => to).sort()[0]!;
    const extension = buffer.extendTo(from);
    const { until } = extension;
    const read = new AbortController();
    const end = () => read.abort();
    stopped.addEventListener('abort', end, { once: true });
    const timeout = setTimeout(end, LOAD_MS);
    let ending: 'whole' | 'full' | null = null;
    const endWith = (why: typeof ending) => {
      ending = why;
      end();
    };
    try {
      await readLog(db, {
        after: from,
        maxWaitMs: MAX_WAIT_MS,
        signal: read.signal,
        onEvent(live) {
          if (read.signal.aborted) return;
          if (live.cursor > until) endWith('whole');
          else if (!extension.add(live)) endWith('full');
        },
        onPosition(position) {
          if (!read.signal.aborted && position >= until) endWith('whole');
        },
      });
    } catch {
      // The subscriber reads from the position itself, and gets the error.
      return { from, isLoaded: false };
    } finally {
      clearTimeout(timeout);
      stopped.removeEventListener('abort', end);
    }
    if (ending === 'whole') extension.finish();
    if (ending === 'full' && from > tooFar) tooFar = from;
    return { from, isLoaded: buffer.start <= from };
  }

  return async (buffer, to) => {
    const own = { to };
    waiting.add(own);
    let failed = 0;
    try {
      while (buffer.start > to) {
        if (failed === MAX_FAILED || stopped.aborted || to <= tooFar || timeOf(buffer.start) - timeOf(to) > MAX_BACK_MS)
          return false;
        loading ??= load(buffer).finally(() => {
          loading = null;
        });
        const { from, isLoaded } = await loading;
        if (isLoaded) continue;
        if (from === to) return false;
        failed += 1;
      }
      return true;
    } finally {
      waiting.delete(own);
    }
  };
}
