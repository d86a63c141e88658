import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { unavailability } from '../database-errors.ts';
import type { Cursor } from '../events/cursor.ts';
import type { LiveEvent } from '../events/log.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import type { UntoldEvent } from './untold-event.ts';

/** One who is told, and how far they have been told. */
export interface Told {
  /** Of the last event that was told, or passed over. */
  last: Cursor;
  isOpen: boolean;
  /** Hands the text on; must not wait. */
  tell(text: string, live: LiveEvent): void;
  /** In place of an event that cannot be written. */
  onUntold(event: UntoldEvent): void;
}

/** What an event looks like to some of those who are told. */
export interface Edition<Who extends Told> {
  text: string | UntoldEvent;
  readers: readonly Who[];
}

/** Tells events in their order, though several are prepared at once. */
export interface Lane<Known = undefined> {
  /** Events that wait, the one being told too. */
  readonly waiting: number;
  /** @param known what `prepare` is given with it */
  accept(live: LiveEvent, known: Known): void;
  /** Resolves when everything that was accepted has been told. */
  idle(): Promise<void>;
  close(): void;
}

export interface LaneOptions<Who extends Told, Known> {
  prepare(live: LiveEvent, known: Known): Promise<ReadonlyArray<Edition<Who>>>;
  /** Bounds what is prepared at once in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Events that this lane prepares at once. @default as many as wait */
  ahead?: number | undefined;
  /** Told of what could not be prepared and so is not told. */
  onFault(error: unknown, live: LiveEvent): void;
}

/** After so many the event loop goes round, so that requests do not wait for a broadcast. */
const ROUND = 500;
const RETRY_MS = 200;

export function createLane<Who extends Told, Known = undefined>({
  prepare,
  admit,
  ahead,
  onFault,
}: LaneOptions<Who, Known>): Lane<Known> {
  const inTurn = ahead === undefined ? admit : takingTurns(admit, ahead);
  let tail: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  /** Tries until the database answers: an outage delays events and loses none. */
  async function prepared(live: LiveEvent, known: Known): Promise<ReadonlyArray<Edition<Who>>> {
    while (!isClosed) {
      try {
        return await inTurn(() => prepare(live, known));
      } catch (error) {
        if (!unavailability(error)) {
          onFault(error, live);
          return [];
        }
      }
      await pause(RETRY_MS, undefined, { ref: false });
    }
    return [];
  }

  async function tell(live: LiveEvent, editions: ReadonlyArray<Edition<Who>>): Promise<void> {
    let told = 0;
    for (const { text, readers } of editions) {
      for (const reader of readers) {
        if (isClosed) return;
        if (!reader.isOpen || reader.last >= live.cursor) continue;
        reader.last = live.cursor;
        if (typeof text === 'string') reader.tell(text, live);
        else reader.onUntold(text);
        told += 1;
        if (told % ROUND === 0) await turn();
      }
    }
  }

  return {
    get waiting() {
      return waiting;
    },
    accept(live, known) {
      waiting += 1;
      const preparing = prepared(live, known);
      tail = tail
        .then(async () => tell(live, await preparing))
        .catch((error: unknown) => onFault(error, live))
        .finally(() => {
          waiting -= 1;
        });
    },
    idle: () => tail,
    close() {
      isClosed = true;
    },
  };
}

function takingTurns(admit: LaneOptions<Told, unknown>['admit'], places: number): typeof admit {
  const takeTurn = createSemaphore(places);
  return (work) => takeTurn(() => admit(work));
}
