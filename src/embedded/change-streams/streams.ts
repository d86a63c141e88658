import { randomBytes } from 'node:crypto';
import { CommandError } from '../lib/index.ts';
import type { ChangeLog } from '../storage/index.ts';
import { streamReply } from './reply.ts';
import type { Batch, Stream } from './stream.ts';

/** MongoDB's limits: the size of a first batch, the wait of a getMore, and the idle time of a cursor. */
const FIRST_BATCH = 101;
const WAIT_MS = 1000;
const IDLE_MS = 10 * 60_000;
const SWEEP_MS = 60_000;

export interface NewStream {
  ns: string;
  stream: Stream;
  batchSize: number | undefined;
  sessionId: string | undefined;
}

export interface MoreEvents {
  id: bigint;
  ns: string;
  batchSize: number | undefined;
  /** How long to wait for the first event, in milliseconds. */
  waitMs: number | undefined;
  connectionId: number;
}

/** The cursors of change streams. Unlike other cursors they never end by themselves, and they wait for new events. */
export interface Streams {
  /** Opens a cursor and returns the reply with the first batch, without waiting. */
  open(stream: NewStream): Buffer;
  has(id: bigint): boolean;
  /** Returns the reply with at least one event, or with none after the wait. @throws CommandError 43, 13, 143 or 237 */
  more(request: MoreEvents): Promise<Buffer>;
  /** Closes a stream and fails a pending getMore; returns whether the stream existed. */
  kill(id: bigint): boolean;
  killBySession(sessionId: string): void;
  /** Closes the streams whose getMore was pending on a connection that has closed. */
  killByConnection(connectionId: number): void;
  readonly size: number;
  close(): void;
}

interface Open {
  id: bigint;
  ns: string;
  stream: Stream;
  sessionId: string | undefined;
  usedAt: number;
  isKilled: boolean;
  /** The connection of the pending getMore. */
  waiting: number | undefined;
  wake: () => void;
}

export function createStreams(log: Pick<ChangeLog, 'onMore'>): Streams {
  const streams = new Map<bigint, Open>();
  const sweep = setInterval(() => {
    const oldest = Date.now() - IDLE_MS;
    for (const open of streams.values()) if (open.usedAt < oldest && open.waiting === undefined) kill(open);
  }, SWEEP_MS);
  sweep.unref();

  function kill(open: Open): void {
    open.isKilled = true;
    streams.delete(open.id);
    open.wake();
  }

  function find({ id, ns }: MoreEvents): Open {
    const open = streams.get(id);
    if (!open) throw new CommandError(43, `cursor id ${id} not found`);
    if (open.ns !== ns) {
      throw new CommandError(13, `Requested getMore on namespace '${ns}', but cursor belongs to '${open.ns}'`);
    }
    if (open.waiting !== undefined) throw new CommandError(143, `cursor id ${id} is already in use`);
    return open;
  }

  /** Resolves when there are new changes, the stream is killed, or the time is over. */
  function waitForChanges(open: Open, ms: number): Promise<void> {
    return new Promise((resolve) => {
      let replying: NodeJS.Immediate | undefined;
      const done = (): void => {
        clearTimeout(timer);
        clearImmediate(replying);
        stopListening();
        open.wake = ignore;
        resolve();
      };
      const timer = setTimeout(done, ms);
      const stopListening = log.onMore(() => {
        // The clients whose commits made these changes are waiting: they are answered first.
        replying ??= setImmediate(done);
      });
      open.wake = done;
    });
  }

  async function nextBatch(open: Open, count: number, until: number): Promise<Batch> {
    while (true) {
      const batch = open.stream.next(count);
      if (batch.events.length > 0 || batch.isInvalidated) return batch;
      const left = until - Date.now();
      if (left <= 0) return batch;
      // If the batch ended before the log did, none of the changes matched: let other commands run before the next ones.
      await (batch.isAtEnd ? waitForChanges(open, left) : new Promise((resolve) => setImmediate(resolve)));
      if (open.isKilled) throw new CommandError(237, `cursor id ${open.id} was killed`);
    }
  }

  return {
    open({ ns, stream, batchSize = FIRST_BATCH, sessionId }) {
      const batch = stream.next(batchSize);
      const id = batch.isInvalidated ? 0n : randomBytes(8).readBigInt64LE() & 0x7fff_ffff_ffff_ffffn;
      if (id !== 0n) {
        const usedAt = Date.now();
        streams.set(id, { id, ns, stream, sessionId, usedAt, isKilled: false, waiting: undefined, wake: ignore });
      }
      return streamReply({ field: 'firstBatch', batch, id, ns });
    },
    has: (id) => streams.has(id),
    async more(request) {
      const open = find(request);
      open.waiting = request.connectionId;
      open.usedAt = Date.now();
      try {
        const count = request.batchSize ?? Number.POSITIVE_INFINITY;
        const batch = await nextBatch(open, count, open.usedAt + (request.waitMs ?? WAIT_MS));
        if (batch.isInvalidated) streams.delete(open.id);
        const id = batch.isInvalidated ? 0n : open.id;
        return streamReply({ field: 'nextBatch', batch, id, ns: open.ns });
      } catch (error) {
        streams.delete(open.id);
        throw error;
      } finally {
        open.waiting = undefined;
        open.usedAt = Date.now();
      }
    },
    kill(id) {
      const open = streams.get(id);
      if (open) kill(open);
      return open !== undefined;
    },
    killBySession(sessionId) {
      for (const open of [...streams.values()]) if (open.sessionId === sessionId) kill(open);
    },
    killByConnection(connectionId) {
      for (const open of [...streams.values()]) if (open.waiting === connectionId) kill(open);
    },
    get size() {
      return streams.size;
    },
    close() {
      clearInterval(sweep);
      for (const open of [...streams.values()]) kill(open);
    },
  };
}

const ignore = (): void => undefined;
