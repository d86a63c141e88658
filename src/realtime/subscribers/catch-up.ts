import { setImmediate as turn } from 'node:timers/promises';
import { OperationError } from '../../errors.ts';
import type { Cursor } from '../../events/cursor.ts';
import type { Hub } from '../../events/hub.ts';
import type { Subscriber } from '../rendering/renderer.ts';
import { type Listener, matchesSpec, type Subscription, type SubscriptionSpec } from '../subscription-spec.ts';
import type { OrderedQueue } from './ordered-queue.ts';

export interface CatchUpOptions {
  hub: Pick<Hub, 'subscribe'>;
  program: SubscriptionSpec;
  listener: Listener;
  after: Cursor;
  /** Tells one member alone what they missed. */
  openLane(member: Subscriber): OrderedQueue;
  /** Has a member told with everybody else what comes from now on. */
  enter(member: Subscriber): Subscription;
}

/** Replayed events that may wait for one reader; the log is not read on meanwhile. */
const MAX_REPLAYED = 100;
/** Events that everybody was told meanwhile and that may wait until what came before them has been told. */
const MAX_HELD = 2_000;
/** How long replaying waits for a reader who takes nothing. */
const MAX_SLOW_MS = 30_000;
/** Events handed on before the event loop goes round. */
const ROUND = 100;

/**
 * Tells what was missed by a lane of its own. As soon as the log has been read up to now, what comes is prepared for
 * them together with everybody else, and held back until the lane has told what came before: who comes back while much
 * happens costs no more than who was there all the time.
 */
export function catchUp({ hub, program, listener, after, openLane, enter }: CatchUpOptions): Subscription {
  const { session } = listener;
  const missing: Subscriber = {
    session,
    lastCursor: after,
    isOpen: true,
    deliver: (text, live) => listener.deliver(text, live),
    onUndeliverable: (event) => (listener.onUndeliverable ? listener.onUndeliverable(event) : lost(event)),
    onLost: lost,
  };
  const lane = openLane(missing);
  const held: Array<() => void> = [];
  let seen = after;
  let joined: Subscription | null = null;
  let isCaughtUp = false;

  const subscription = hub.subscribe({
    after,
    async onEvent(live) {
      seen = live.cursor;
      if (!missing.isOpen || live.event.networkId !== session.viewer.networkId || !matchesSpec(program, live)) return;
      lane.push(live, undefined);
      // Of the newest many come at once, and none of them waits: then it is up to `finish`.
      await isTaken(
        () => lane.length <= MAX_REPLAYED,
        () => joined !== null,
      );
    },
    onLive: join,
    onLost: lost,
  });

  /** In one turn: what comes next is told with everybody else, what came before is the lane's. */
  function join(): void {
    subscription.close();
    if (!missing.isOpen) return;
    joined = enter({
      ...missing,
      lastCursor: seen,
      deliver: (text, live) => inOrder(() => missing.deliver(text, live)),
      onUndeliverable: (event) => inOrder(() => missing.onUndeliverable(event)),
    });
    finish().catch(() => lost(new OperationError('INTERNAL')));
  }

  function inOrder(tell: () => void): void {
    if (isCaughtUp) tell();
    else if (held.length < MAX_HELD) held.push(tell);
    else lost(tooSlow());
  }

  async function finish(): Promise<void> {
    await lane.idle();
    for (let told = 1; missing.isOpen && held.length > 0; told += 1) {
      await isTaken(() => true);
      held.shift()?.();
      if (told % ROUND === 0) await turn();
    }
    if (!missing.isOpen) return;
    isCaughtUp = true;
    listener.onCaughtUp?.();
  }

  /** Waits until there is room and the reader takes what it is told. */
  async function isTaken(hasRoom: () => boolean, isOver: () => boolean = () => false): Promise<void> {
    const patience = performance.now() + MAX_SLOW_MS;
    while (missing.isOpen && !isOver() && (!hasRoom() || listener.isSlow?.())) {
      if (listener.isSlow?.() && performance.now() > patience) return lost(tooSlow());
      await shortly();
    }
  }

  function lost(reason: OperationError): void {
    if (!missing.isOpen) return;
    close();
    listener.onLost(reason);
  }

  function close(): void {
    missing.isOpen = false;
    held.length = 0;
    subscription.close();
    lane.close();
    joined?.close();
  }

  return {
    get isCaughtUp() {
      return isCaughtUp && joined?.isCaughtUp === true;
    },
    close,
  };
}

export function tooSlow(): OperationError {
  return new OperationError('UNAVAILABLE', {
    message: 'Events come faster than they are told: come back with your cursor.',
  });
}

function shortly(): Promise<void> {
  return new Promise((later) => setTimeout(later, 20));
}
