import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { OperationError } from '../../errors.ts';
import type { Cursor } from '../../events/cursor.ts';
import type { Hub } from '../../events/hub.ts';
import type { LiveEvent } from '../../events/log.ts';
import type { Subscriber } from '../rendering/renderer.ts';
import { type Listener, matchesSpec, type Subscription, type SubscriptionSpec } from '../subscription-spec.ts';
import type { OrderedQueue } from './ordered-queue.ts';
import type { Replays } from './replays.ts';

export interface CatchUpOptions {
  hub: Pick<Hub, 'subscribe'>;
  spec: SubscriptionSpec;
  listener: Listener;
  after: Cursor;
  replays: Replays;
  /** Adds the subscriber to the group that receives live events. */
  join(subscriber: Subscriber): Subscription;
}

/** Missed events that may be queued for one subscriber. Beyond it, reading the log pauses. */
const MAX_REPLAYED = 100;
/** Live events that may be held back until the missed events have been delivered. */
const MAX_HELD = 2_000;
/** Maximum time that a replay waits for a client that reads nothing. */
const MAX_SLOW_MS = 30_000;
const POLL_MS = 20;
/** Held events delivered between yields to the event loop. */
const DELIVERIES_PER_YIELD = 100;

/**
 * Resumes a subscription after a cursor. Older missed events are delivered through a separate queue, the last ones
 * together with other subscribers. When the log has been read to its end, the subscriber joins the group of live
 * subscribers, and live events are held back until all missed ones were delivered. A client that resumes during heavy
 * traffic thus costs no more than one that stayed connected.
 */
export function catchUp({ hub, spec, listener, after, replays, join }: CatchUpOptions): Subscription {
  const { session, concurrency } = listener;
  const subscriber: Subscriber = {
    session,
    lastCursor: after,
    isOpen: true,
    deliver: (text, live) => listener.deliver(text, live),
    onUndeliverable: (event) => (listener.onUndeliverable ? listener.onUndeliverable(event) : fail(event)),
    onLost: fail,
  };
  /** Null before an older event, and when the missed events have been delivered: a subscription may stay open for days. */
  let queue: OrderedQueue | null = null;
  let last: readonly LiveEvent[] = [];
  const held: Array<() => void> = [];
  let lastRead = after;
  let live: Subscription | null = null;
  let isCaughtUp = false;

  const replay = hub.subscribe({
    after,
    async onEvent(event) {
      lastRead = event.cursor;
      if (!subscriber.isOpen || !isWanted(event)) return;
      push(event);
      await waitForClient(() => queue === null || queue.length <= MAX_REPLAYED);
    },
    onMissed(events) {
      lastRead = events.at(-1)?.cursor ?? lastRead;
      // Without backpressure; `deliverHeld` then waits for the client.
      const wanted = events.filter(isWanted);
      // Others do not wait for a subscriber that renders one event after the other.
      if (concurrency === undefined) last = wanted;
      else for (const event of wanted) push(event);
    },
    onLive: joinLive,
    onLost: fail,
  });

  function push(event: LiveEvent): void {
    queue ??= replays.createQueue(spec, subscriber, concurrency);
    queue.push(event, undefined);
  }

  function isWanted(event: LiveEvent): boolean {
    return event.event.networkId === session.viewer.networkId && matchesSpec(spec, event);
  }

  /** Runs synchronously after the last missed event, so that no event falls between the missed and the live ones. */
  function joinLive(): void {
    replay.close();
    if (!subscriber.isOpen) return;
    live = join({
      ...subscriber,
      lastCursor: lastRead,
      deliver(text, event) {
        if (isCaughtUp) listener.deliver(text, event);
        else hold(() => subscriber.deliver(text, event));
      },
      onUndeliverable(event) {
        if (isCaughtUp) subscriber.onUndeliverable(event);
        else hold(() => subscriber.onUndeliverable(event));
      },
    });
    deliverHeld().catch(() => fail(new OperationError('INTERNAL')));
  }

  function hold(deliver: () => void): void {
    if (held.length < MAX_HELD) held.push(deliver);
    else fail(tooSlow());
  }

  async function deliverHeld(): Promise<void> {
    await queue?.idle();
    if (last.length > 0) await replays.deliverTogether(spec, subscriber, last);
    last = [];
    for (let count = 1; subscriber.isOpen && held.length > 0; count += 1) {
      await waitForClient(() => true);
      held.shift()?.();
      if (count % DELIVERIES_PER_YIELD === 0) await yieldToEventLoop();
    }
    if (!subscriber.isOpen) return;
    isCaughtUp = true;
    queue = null;
    listener.onCaughtUp?.();
  }

  /** Waits until there is room and the client reads. Ends the subscription when the client reads nothing for too long. */
  async function waitForClient(hasRoom: () => boolean): Promise<void> {
    const deadline = performance.now() + MAX_SLOW_MS;
    while (subscriber.isOpen && (!hasRoom() || listener.isSlow?.())) {
      if (listener.isSlow?.() && performance.now() > deadline) return fail(tooSlow());
      await pause(POLL_MS);
    }
  }

  function fail(reason: OperationError): void {
    if (!subscriber.isOpen) return;
    close();
    listener.onLost(reason);
  }

  function close(): void {
    subscriber.isOpen = false;
    held.length = 0;
    replay.close();
    queue?.close();
    live?.close();
  }

  return {
    get isCaughtUp() {
      return isCaughtUp && live?.isCaughtUp === true;
    },
    close,
  };
}

export function tooSlow(): OperationError {
  return new OperationError('UNAVAILABLE', {
    message: 'Events arrive faster than they can be delivered. Reconnect with your last cursor.',
  });
}
