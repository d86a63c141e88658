import type { Services } from '../context.ts';
import { unavailability } from '../database-errors.ts';
import type { OperationError } from '../errors.ts';
import type { Cursor } from '../events/cursor.ts';
import type { Hub } from '../events/hub.ts';
import type { LiveEvent } from '../events/log.ts';
import { compositeKey } from '../lib/composite-key.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { eventDelay } from '../observe/metrics/definitions.ts';
import { createRenderer, type Subscriber } from './rendering/renderer.ts';
import { UndeliverableEvent } from './rendering/undeliverable-event.ts';
import { catchUp, tooSlow } from './subscribers/catch-up.ts';
import { createOrderedQueue, type OrderedQueue, textFor } from './subscribers/ordered-queue.ts';
import { createReplays } from './subscribers/replays.ts';
import { type Listener, matchesSpec, type Subscription, type SubscriptionSpec } from './subscription-spec.ts';
import { createLazyEventView, type LazyEventView } from './visibility/lazy-event-view.ts';
import type { Memberships } from './visibility/memberships.ts';

/** Delivers each event to all subscribers that are authorized to see it. */
export interface FanOut {
  /** The position in the log that was read last; null before the first. */
  readonly position: Cursor | null;
  /** @param after deliver only events after this cursor; null: from now on */
  subscribe(spec: SubscriptionSpec, listener: Listener, after?: Cursor | null): Subscription;
  /**
   * Renders one event for one session; null when the session may not see it, or its records no longer exist.
   * @throws {UndeliverableEvent} when it cannot be rendered
   */
  renderFor(spec: SubscriptionSpec, session: Listener['session'], live: LiveEvent): Promise<string | null>;
}

export interface FanOutOptions {
  services: Services;
  hub: Hub;
  memberships: Memberships;
  onError(error: unknown, live: LiveEvent): void;
}

/** The subscribers in one network with the same subscription spec. */
interface SubscriberGroup {
  spec: SubscriptionSpec;
  networkId: string;
  subscribers: Set<Subscriber>;
  /** For specs that select their audience. */
  byListener: Map<Listener, Subscriber>;
  queue: OrderedQueue<LazyEventView>;
}

/** Events that may be queued for one group. Beyond it, its subscriptions end and clients resume from their cursors. */
const MAX_QUEUED = 2_000;
/** Events rendered concurrently in the process. */
const MAX_RENDERED = 32;

const delay = eventDelay.with();

export function createFanOut({ services, hub, memberships, onError }: FanOutOptions): FanOut {
  const groups = new Map<string, SubscriberGroup>();
  const byNetwork = new Map<string, Set<SubscriberGroup>>();
  const admit = createSemaphore(MAX_RENDERED);
  const renderEvent = createRenderer({ services, memberships, onError, concurrency: MAX_RENDERED });
  const replays = createReplays({ services, renderEvent, admit, onError });

  function followLog(): void {
    hub.subscribe({
      onEvent(live) {
        // All groups share one view of the event.
        const lazyView = createLazyEventView(services, live);
        for (const group of byNetwork.get(live.event.networkId) ?? []) {
          if (!matchesSpec(group.spec, live)) continue;
          if (group.queue.length < MAX_QUEUED) group.queue.push(live, lazyView);
          else disconnect(group, tooSlow());
        }
      },
      onLost(reason) {
        for (const group of [...groups.values()]) disconnect(group, reason);
        // The log is read again after an outage, and not after the process was closed.
        if (reason.errorName !== 'UNAVAILABLE') followLog();
      },
    });
  }
  followLog();

  function disconnect(group: SubscriberGroup, reason: OperationError): void {
    for (const subscriber of [...group.subscribers]) {
      remove(group, subscriber);
      subscriber.onLost(reason);
    }
  }

  function join(spec: SubscriptionSpec, subscriber: Subscriber, listener: Listener): Subscription {
    const { networkId } = subscriber.session.viewer;
    const key = compositeKey(networkId, spec.key);
    const group = groups.get(key) ?? createGroup(spec, networkId);
    groups.set(key, group);
    group.subscribers.add(subscriber);
    if (spec.audience) group.byListener.set(listener, subscriber);
    return {
      get isCaughtUp() {
        return group.queue.length === 0;
      },
      close() {
        group.byListener.delete(listener);
        remove(group, subscriber);
      },
    };
  }

  function createGroup(spec: SubscriptionSpec, networkId: string): SubscriberGroup {
    const subscribers = new Set<Subscriber>();
    const byListener: SubscriberGroup['byListener'] = new Map();
    const queue = createOrderedQueue<Subscriber, LazyEventView>({
      admit,
      onError,
      onSettled(live) {
        if (subscribers.size > 0) delay.observe(Math.max(0, Date.now() - live.event.createdAt.getTime()) / 1_000);
        spec.onSettled?.(live);
      },
      async render(live, lazyView) {
        const audience = spec.audience ? await selectAudience(spec, live, { byListener, lazyView }) : [...subscribers];
        return audience.length === 0 ? [] : renderEvent(spec, live, { subscribers: audience, lazyView });
      },
    });
    const group = { spec, networkId, subscribers, byListener, queue };
    const others = byNetwork.get(networkId) ?? new Set();
    byNetwork.set(networkId, others.add(group));
    return group;
  }

  function remove(group: SubscriberGroup, subscriber: Subscriber): void {
    subscriber.isOpen = false;
    if (!group.subscribers.delete(subscriber) || group.subscribers.size > 0) return;
    group.queue.close();
    const others = byNetwork.get(group.networkId);
    others?.delete(group);
    if (others?.size === 0) byNetwork.delete(group.networkId);
    groups.delete(compositeKey(group.networkId, group.spec.key));
  }

  function subscribeFromNow(spec: SubscriptionSpec, listener: Listener): Subscription {
    const subscriber: Subscriber = {
      session: listener.session,
      lastCursor: hub.position ?? '',
      isOpen: true,
      deliver: (text, live) => listener.deliver(text, live),
      onUndeliverable(event) {
        if (listener.onUndeliverable) return listener.onUndeliverable(event);
        subscription.close();
        listener.onLost(event);
      },
      onLost: (reason) => listener.onLost(reason),
    };
    const subscription = join(spec, subscriber, listener);
    return subscription;
  }

  return {
    get position() {
      return hub.position;
    },
    async renderFor(spec, session, live) {
      const ignore = () => undefined;
      const subscriber: Subscriber = {
        session,
        lastCursor: '',
        isOpen: true,
        deliver: ignore,
        onUndeliverable: ignore,
        onLost: ignore,
      };
      const lazyView = createLazyEventView(services, live);
      const [rendering] = await renderEvent(spec, live, { subscribers: [subscriber], lazyView });
      const text = rendering ? textFor(rendering.text, subscriber) : null;
      if (text instanceof UndeliverableEvent) throw text;
      return text;
    },
    subscribe(spec, listener, after = null) {
      if (after === null) return subscribeFromNow(spec, listener);
      return catchUp({
        hub,
        spec,
        listener,
        after,
        replays,
        join: (subscriber) => join(spec, subscriber, listener),
      });
    },
  };
}

async function selectAudience(
  spec: SubscriptionSpec,
  live: LiveEvent,
  { byListener, lazyView }: { byListener: SubscriberGroup['byListener']; lazyView: LazyEventView },
): Promise<Subscriber[]> {
  try {
    const selected: Subscriber[] = [];
    for (const listener of await spec.audience!(live, lazyView)) {
      const subscriber = byListener.get(listener);
      if (subscriber) selected.push(subscriber);
    }
    return selected;
  } catch (error) {
    // The event is rendered again, and must read again.
    if (unavailability(error)) lazyView.reset();
    throw error;
  }
}
