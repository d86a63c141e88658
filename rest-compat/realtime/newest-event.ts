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
 * The newest event that the client may see, and its cursor, after which later events follow. Events that exceed a limit
 * or cannot be written are passed over: they would hide all others until a newer event. A poll after a cursor reports
 * them.
 *
 * @throws {UnavailableError} when it was not found within the time of a request: that there is none is said only when
 *   all have been looked at
 */
export async function findNewestEvent(poll: EventRequest): Promise<EventAnswer> {
  const { services, realtime, program, session, onEnd, leave } = poll;
  let over: OperationError | null = null;
  const forget = onEnd((reason) => {
    over = reason;
  });
  const end = performance.now() + services.config.DATABASE_TIMEOUT_MS;
  const look = (live: LiveEvent) => realtime.fanOut.renderFor(program, session, live).catch(nullIfUndeliverable);
  try {
    const cursor = services.events.position;
    if (cursor === null) throw new UnavailableError('starting');
    for await (const some of newestFirst(poll)) {
      if (over) throw over;
      if (performance.now() > end) throw new UnavailableError('slow');
      const known = some.map(({ eventId }) => services.events.findRecent(eventId));
      const looks = await Promise.allSettled(some.map((event, index) => look(known[index] ?? { cursor, event })));
      for (const [index, seen] of looks.entries()) {
        if (seen.status === 'rejected') throw seen.reason;
        if (seen.value === null) continue;
        if (known[index]) return { text: seen.value, cursor: known[index].cursor };
        const live = await placed(services.events, some[index]!, cursor);
        if (!live) return { text: seen.value, cursor };
        // Every change of rights before it is known only now.
        const text = await look(live);
        if (text !== null) return { text, cursor: live.cursor };
      }
    }
    if (over) throw over;
    return { text: null, cursor };
  } finally {
    forget();
    leave();
  }
}

function nullIfUndeliverable(error: unknown): null {
  if (error instanceof UndeliverableEvent) return null;
  throw error;
}

/** Events looked at together: one at first, since most see the newest. */
const MOST_AT_ONCE = 16;
/** Events read at once: few at first, for the same reason. */
const FIRST_PAGE = 4;
const LARGEST_PAGE = 64;

async function* newestFirst({ services, program, session }: EventRequest): AsyncGenerator<EventRecord[]> {
  const { events } = services.store.collections;
  const { networkId } = session.viewer;
  const type = { $in: [...program.types] };
  let atOnce = 1;
  let page: EventRecord[] = [];
  for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
    const last = page.at(-1);
    page = await events
      .find({ networkId, type, ...(last && { eventId: { $lt: last.eventId } }) })
      .sort({ eventId: -1 })
      .limit(size)
      .toArray();
    const concerned = page.filter(({ path }) => concerns(program, path));
    // Also where none is concerned: whoever looks finds out whether their time is up.
    if (concerned.length === 0) yield [];
    for (let from = 0; from < concerned.length; ) {
      yield concerned.slice(from, from + atOnce);
      from += atOnce;
      atOnce = Math.min(atOnce * 2, MOST_AT_ONCE);
    }
    if (page.length < size) return;
  }
}

function concerns({ topic }: SubscriptionSpec, path: string): boolean {
  return !topic || topic(path);
}

/** How far the clock of the process that wrote an event may differ from that of the database, with its transaction. */
const APART_MS = 5_000;
const ARRIVES_WITHIN_MS = 2_000;
const LOOK_MS = 15;

/**
 * An event with its place in the log, waiting for it to be read there if it is newer than `position`.
 *
 * @returns null when this process has not read it: then whatever comes after `position` comes after the event too
 */
async function placed(hub: Hub, { eventId, createdAt }: EventRecord, position: Cursor): Promise<LiveEvent | null> {
  const mayCome = createdAt.getTime() > timeOf(position) - APART_MS;
  const end = performance.now() + (mayCome ? ARRIVES_WITHIN_MS : 0);
  for (;;) {
    const known = hub.findRecent(eventId);
    if (known || performance.now() >= end) return known;
    await new Promise((later) => setTimeout(later, LOOK_MS));
  }
}
