import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { unavailability } from '../../database-errors.ts';
import type { Cursor } from '../../events/cursor.ts';
import type { LiveEvent } from '../../events/log.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { UndeliverableEvent } from '../rendering/undeliverable-event.ts';

/** One who is told, and how far they have been told. */
export interface DeliveryState {
  /** Of the last event that was told, or passed over. */
  lastCursor: Cursor;
  isOpen: boolean;
  /** Hands the text on; must not wait. */
  deliver(text: string, live: LiveEvent): void;
  /** In place of an event that cannot be written. */
  onUndeliverable(event: UndeliverableEvent): void;
}

/** What an event looks like to some of those who are told. */
export interface Rendering<Who extends DeliveryState> {
  text: string | UndeliverableEvent;
  recipients: readonly Who[];
}

/** Tells events in their order, though several are prepared at once. */
export interface OrderedQueue<Known = undefined> {
  /** Events that wait, the one being told too. */
  readonly length: number;
  /** @param known what `prepare` is given with it */
  push(live: LiveEvent, known: Known): void;
  /** Resolves when everything that was accepted has been told. */
  idle(): Promise<void>;
  close(): void;
}

export interface OrderedQueueOptions<Who extends DeliveryState, Known> {
  prepare(live: LiveEvent, known: Known): Promise<ReadonlyArray<Rendering<Who>>>;
  /** Bounds what is prepared at once in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Events that this lane prepares at once. @default as many as wait */
  ahead?: number | undefined;
  /** Told of what could not be prepared and so is not told. */
  onError(error: unknown, live: LiveEvent): void;
}

/** After so many the event loop goes round, so that requests do not wait for a broadcast. */
const ROUND = 500;
const RETRY_MS = 200;

export function createOrderedQueue<Who extends DeliveryState, Known = undefined>({
  prepare,
  admit,
  ahead,
  onError,
}: OrderedQueueOptions<Who, Known>): OrderedQueue<Known> {
  const inTurn = ahead === undefined ? admit : takingTurns(admit, ahead);
  let tail: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  /** Tries until the database answers: an outage delays events and loses none. */
  async function prepared(live: LiveEvent, known: Known): Promise<ReadonlyArray<Rendering<Who>>> {
    while (!isClosed) {
      try {
        return await inTurn(() => prepare(live, known));
      } catch (error) {
        if (!unavailability(error)) {
          onError(error, live);
          return [];
        }
      }
      await pause(RETRY_MS, undefined, { ref: false });
    }
    return [];
  }

  async function tell(live: LiveEvent, editions: ReadonlyArray<Rendering<Who>>): Promise<void> {
    let told = 0;
    for (const { text, recipients } of editions) {
      for (const reader of recipients) {
        if (isClosed) return;
        if (!reader.isOpen || reader.lastCursor >= live.cursor) continue;
        reader.lastCursor = live.cursor;
        if (typeof text === 'string') reader.deliver(text, live);
        else reader.onUndeliverable(text);
        told += 1;
        if (told % ROUND === 0) await turn();
      }
    }
  }

  return {
    get length() {
      return waiting;
    },
    push(live, known) {
      waiting += 1;
      const preparing = prepared(live, known);
      tail = tail
        .then(async () => tell(live, await preparing))
        .catch((error: unknown) => onError(error, live))
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

function takingTurns(admit: OrderedQueueOptions<DeliveryState, unknown>['admit'], places: number): typeof admit {
  const takeTurn = createSemaphore(places);
  return (work) => takeTurn(() => admit(work));
}
