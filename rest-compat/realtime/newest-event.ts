import { UnavailableError } from '../../src/database-errors.ts';
import type { OperationError } from '../../src/errors.ts';
import { type Cursor, timeOf } from '../../src/events/cursor.ts';
import type { Hub } from '../../src/events/hub.ts';
import type { LiveEvent } from '../../src/events/log.ts';
import { UndeliverableEvent } from '../../src/realtime/rendering/undeliverable-event.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { EventAnswer, EventRequest } from './event-request.ts';

/**
 * Finds the newest event that the client may see, and its cursor. Skips events that exceed a limit or cannot be rendered,
 * which would hide all others until a newer event; a poll after a cursor reports them.
 *
 * @throws {UnavailableError} when the request times out before all events were searched
 */
export async function findNewestEvent(request: EventRequest): Promise<EventAnswer> {
  const { services, realtime, spec, session, onEnd, release } = request;
  let endReason: OperationError | null = null;
  const unregister = onEnd((reason) => {
    endReason = reason;
  });
  const end = performance.now() + services.config.DATABASE_TIMEOUT_MS;
  const renderFor = (live: LiveEvent) => realtime.fanOut.renderFor(spec, session, live).catch(nullIfUndeliverable);
  try {
    const cursor = services.events.position;
    if (cursor === null) throw new UnavailableError('starting');
    for await (const batch of newestFirst(request)) {
      if (endReason) throw endReason;
      if (performance.now() > end) throw new UnavailableError('slow');
      const known = batch.map(({ eventId }) => services.events.findRecent(eventId));
      const results = await Promise.allSettled(
        batch.map((event, index) => renderFor(known[index] ?? { cursor, event })),
      );
      for (const [index, result] of results.entries()) {
        if (result.status === 'rejected') throw result.reason;
        if (result.value === null) continue;
        if (known[index]) return { text: result.value, cursor: known[index].cursor };
        const live = await locateInLog(services.events, batch[index]!, cursor);
        if (!live) return { text: result.value, cursor };
        // Rendered again: changes of rights that precede the event are known only now.
        const text = await renderFor(live);
        if (text !== null) return { text, cursor: live.cursor };
      }
    }
    if (endReason) throw endReason;
    return { text: null, cursor };
  } finally {
    unregister();
    release();
  }
}

function nullIfUndeliverable(error: unknown): null {
  if (error instanceof UndeliverableEvent) return null;
  throw error;
}

/** Events rendered concurrently. Starts at 1, because most clients may see the newest event. */
const MAX_CONCURRENCY = 16;
/** Events read per query. Starts small for the same reason. */
const FIRST_PAGE = 4;
const LARGEST_PAGE = 64;

async function* newestFirst({ services, spec, session }: EventRequest): AsyncGenerator<EventRecord[]> {
  const { events } = services.store.collections;
  const { networkId } = session.viewer;
  const type = { $in: [...spec.types] };
  let concurrency = 1;
  let page: EventRecord[] = [];
  for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
    const last = page.at(-1);
    page = await events
      .find({ networkId, type, ...(last && { eventId: { $lt: last.eventId } }) })
      .sort({ eventId: -1 })
      .limit(size)
      .toArray();
    const matching = page.filter(({ path }) => matchesTopic(spec, path));
    // Yield empty batches too, so that the caller can check its deadline.
    if (matching.length === 0) yield [];
    for (let from = 0; from < matching.length; ) {
      yield matching.slice(from, from + concurrency);
      from += concurrency;
      concurrency = Math.min(concurrency * 2, MAX_CONCURRENCY);
    }
    if (page.length < size) return;
  }
}

function matchesTopic({ topic }: SubscriptionSpec, path: string): boolean {
  return !topic || topic(path);
}

/** Tolerated difference between the clocks of the writing process and the database, plus the transaction's duration. */
const MAX_CLOCK_SKEW_MS = 5_000;
const MAX_LOG_DELAY_MS = 2_000;
const POLL_MS = 15;

/**
 * Finds an event's position in the log. Waits for the hub to read it, if it is newer than `position`.
 *
 * @returns null when the event is older than the hub's buffer; every event after `position` then follows it
 */
async function locateInLog(hub: Hub, { eventId, createdAt }: EventRecord, position: Cursor): Promise<LiveEvent | null> {
  const mayArrive = createdAt.getTime() > timeOf(position) - MAX_CLOCK_SKEW_MS;
  const end = performance.now() + (mayArrive ? MAX_LOG_DELAY_MS : 0);
  for (;;) {
    const known = hub.findRecent(eventId);
    if (known || performance.now() >= end) return known;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
