import { setTimeout as pause } from 'node:timers/promises';
import { unavailability } from '../../database-errors.ts';
import type { Cursor } from '../../events/cursor.ts';
import type { LiveEvent } from '../../events/log.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import { isSliceOver, nextSlice } from '../../lib/time-slice.ts';
import { countTraffic } from '../../lib/traffic.ts';
import { eventsDelivered } from '../../observe/metrics/definitions.ts';
import type { UndeliverableEvent } from '../rendering/undeliverable-event.ts';

/** A recipient and the position up to which events were delivered to it. */
export interface DeliveryState {
  /** Cursor of the last event that was delivered or skipped. */
  lastCursor: Cursor;
  isOpen: boolean;
  /** Passes the text to the transport; must not block. */
  deliver(text: string, live: LiveEvent): void;
  /** Called instead of `deliver` for an event that cannot be rendered. */
  onUndeliverable(event: UndeliverableEvent): void;
}

/** The text of an event for a set of recipients. */
export interface Rendering<Recipient extends DeliveryState> {
  /** A function returns the text of one recipient, so that thousands of texts do not exist at the same time. */
  text: string | UndeliverableEvent | ((recipient: Recipient) => string);
  recipients: readonly Recipient[];
}

export function textFor<Recipient extends DeliveryState>(
  text: Rendering<Recipient>['text'],
  recipient: Recipient,
): string | UndeliverableEvent {
  return typeof text === 'function' ? text(recipient) : text;
}

/** Delivers events in log order, although several are rendered concurrently. */
export interface OrderedQueue<Extra = undefined> {
  /** Number of events not yet delivered, including the current one. */
  readonly length: number;
  /** @param extra passed on to `render` */
  push(live: LiveEvent, extra: Extra): void;
  /** Resolves when all queued events have been delivered. */
  idle(): Promise<void>;
  close(): void;
}

export interface OrderedQueueOptions<Recipient extends DeliveryState, Extra> {
  render(live: LiveEvent, extra: Extra): Promise<ReadonlyArray<Rendering<Recipient>>>;
  /** Limits concurrent rendering in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Events that this queue renders concurrently. @default unlimited */
  concurrency?: number | undefined;
  /** Called for an event that is dropped because it could not be rendered. */
  onError(error: unknown, live: LiveEvent): void;
  /** Called when an event was delivered or dropped. */
  onSettled?: ((live: LiveEvent) => void) | undefined;
}

/** Deliveries between checks of the time slice, so that a broadcast does not delay requests. */
const DELIVERIES_PER_CHECK = 100;
/** Deliveries that take about as much memory as a request. */
const DELIVERIES_PER_REQUEST = 25;
const RETRY_MS = 200;

const allDelivered = eventsDelivered.with();

export function createOrderedQueue<Recipient extends DeliveryState, Extra = undefined>({
  render,
  admit,
  concurrency,
  onError,
  onSettled,
}: OrderedQueueOptions<Recipient, Extra>): OrderedQueue<Extra> {
  const withSlot = concurrency === undefined ? admit : limitConcurrency(admit, concurrency);
  let tail: Promise<void> = Promise.resolve();
  let length = 0;
  let isClosed = false;

  /** Retries while the database is unavailable: an outage delays events but does not lose them. */
  async function renderWithRetries(live: LiveEvent, extra: Extra): Promise<ReadonlyArray<Rendering<Recipient>>> {
    while (!isClosed) {
      try {
        return await withSlot(() => render(live, extra));
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

  async function deliverAll(live: LiveEvent, renderings: ReadonlyArray<Rendering<Recipient>>): Promise<void> {
    let delivered = 0;
    for (const { text, recipients } of renderings) {
      for (const recipient of recipients) {
        if (isClosed) return;
        if (!recipient.isOpen || recipient.lastCursor >= live.cursor) continue;
        recipient.lastCursor = live.cursor;
        const own = textFor(text, recipient);
        if (typeof own === 'string') recipient.deliver(own, live);
        else recipient.onUndeliverable(own);
        delivered += 1;
        allDelivered.add();
        if (delivered % DELIVERIES_PER_REQUEST === 0) countTraffic();
        if (delivered % DELIVERIES_PER_CHECK === 0 && isSliceOver()) await nextSlice();
      }
    }
  }

  return {
    get length() {
      return length;
    },
    push(live, extra) {
      length += 1;
      const rendering = renderWithRetries(live, extra);
      tail = tail
        .then(async () => deliverAll(live, await rendering))
        .catch((error: unknown) => onError(error, live))
        .finally(() => {
          length -= 1;
          onSettled?.(live);
        });
    },
    idle: () => tail,
    close() {
      isClosed = true;
    },
  };
}

function limitConcurrency(admit: OrderedQueueOptions<DeliveryState, unknown>['admit'], limit: number): typeof admit {
  const withPermit = createSemaphore(limit);
  return (work) => withPermit(() => admit(work));
}
