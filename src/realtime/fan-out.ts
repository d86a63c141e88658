import type { Services } from '../context.ts';
import type { OperationError } from '../errors.ts';
import type { Cursor } from '../events/cursor.ts';
import type { Hub } from '../events/hub.ts';
import type { LiveEvent } from '../events/log.ts';
import { compositeKey } from '../lib/composite-key.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import { createRenderer, type Subscriber } from './rendering/renderer.ts';
import { createReplayRenderer } from './rendering/replay-renderer.ts';
import { UndeliverableEvent } from './rendering/undeliverable-event.ts';
import { catchUp, tooSlow } from './subscribers/catch-up.ts';
import { createOrderedQueue, type OrderedQueue } from './subscribers/ordered-queue.ts';
import { type Listener, matchesSpec, type Subscription, type SubscriptionSpec } from './subscription-spec.ts';
import { createLazyEventView, type LazyEventView } from './visibility/lazy-event-view.ts';
import type { Memberships } from './visibility/memberships.ts';

/** Tells events to everybody who listens and may see them. */
export interface FanOut {
  /** @param after only what came after this place; null: from now on */
  subscribe(program: SubscriptionSpec, listener: Listener, after?: Cursor | null): Subscription;
  /**
   * How one event looks to somebody; null when they do not see it, or there is nothing left of it.
   * @throws {UndeliverableEvent} when it cannot be written
   */
  renderFor(program: SubscriptionSpec, session: Listener['session'], live: LiveEvent): Promise<string | null>;
}

export interface FanOutOptions {
  services: Services;
  hub: Hub;
  memberships: Memberships;
  onError(error: unknown, live: LiveEvent): void;
}

/** Those who listen to one program in one network. */
interface SubscriberGroup {
  program: SubscriptionSpec;
  networkId: string;
  members: Set<Subscriber>;
  lane: OrderedQueue<LazyEventView>;
}

/** Events that may wait for one group before its readers are sent away to come back with their cursors. */
const MAX_WAITING = 2_000;
/** Events that are prepared at once in the process. */
const MAX_PREPARED = 32;

export function createFanOut({ services, hub, memberships, onError }: FanOutOptions): FanOut {
  const groups = new Map<string, SubscriberGroup>();
  const byNetwork = new Map<string, Set<SubscriberGroup>>();
  const admit = createSemaphore(MAX_PREPARED);
  const prepare = createRenderer({ services, memberships, onError, atOnce: MAX_PREPARED });
  const replay = createReplayRenderer({ services, prepare, admit });

  function follow(): void {
    hub.subscribe({
      onEvent(live) {
        // One scene serves all groups.
        const reading = createLazyEventView(services, live);
        for (const group of byNetwork.get(live.event.networkId) ?? []) {
          if (!matchesSpec(group.program, live)) continue;
          if (group.lane.length < MAX_WAITING) group.lane.push(live, reading);
          else lose(group, tooSlow());
        }
      },
      onLost(reason) {
        for (const group of [...groups.values()]) lose(group, reason);
        follow();
      },
    });
  }
  follow();

  function lose(group: SubscriberGroup, reason: OperationError): void {
    for (const member of [...group.members]) {
      drop(group, member);
      member.onLost(reason);
    }
  }

  function enter(program: SubscriptionSpec, member: Subscriber): Subscription {
    const { networkId } = member.session.viewer;
    const key = compositeKey(networkId, program.key);
    let group = groups.get(key);
    if (!group) {
      group = openGroup(program, networkId);
      groups.set(key, group);
    }
    group.members.add(member);
    const { lane } = group;
    const entered = group;
    return {
      get isCaughtUp() {
        return lane.length === 0;
      },
      close: () => drop(entered, member),
    };
  }

  function openGroup(program: SubscriptionSpec, networkId: string): SubscriberGroup {
    const members = new Set<Subscriber>();
    const lane = createOrderedQueue<Subscriber, LazyEventView>({
      admit,
      onError,
      prepare: (live, reading) => prepare(program, live, { members: [...members], reading }),
    });
    const group = { program, networkId, members, lane };
    const others = byNetwork.get(networkId) ?? new Set();
    byNetwork.set(networkId, others.add(group));
    return group;
  }

  function drop(group: SubscriberGroup, member: Subscriber): void {
    member.isOpen = false;
    if (!group.members.delete(member) || group.members.size > 0) return;
    group.lane.close();
    const others = byNetwork.get(group.networkId);
    others?.delete(group);
    if (others?.size === 0) byNetwork.delete(group.networkId);
    groups.delete(compositeKey(group.networkId, group.program.key));
  }

  function openLane(program: SubscriptionSpec, member: Subscriber, ahead: number | undefined) {
    return createOrderedQueue<Subscriber>({
      // Replays are admitted together.
      admit: (work) => work(),
      ahead,
      onError,
      prepare: (live) => replay(program, live, member),
    });
  }

  function follower(program: SubscriptionSpec, listener: Listener): Subscription {
    const member: Subscriber = {
      session: listener.session,
      lastCursor: hub.position ?? '',
      isOpen: true,
      deliver: (text, live) => listener.deliver(text, live),
      onUndeliverable(event) {
        if (listener.onUndeliverable) return listener.onUndeliverable(event);
        listening.close();
        listener.onLost(event);
      },
      onLost: (reason) => listener.onLost(reason),
    };
    const listening = enter(program, member);
    return listening;
  }

  return {
    async renderFor(program, session, live) {
      const nobody = () => undefined;
      const member: Subscriber = {
        session,
        lastCursor: '',
        isOpen: true,
        deliver: nobody,
        onUndeliverable: nobody,
        onLost: nobody,
      };
      const [edition] = await prepare(program, live, {
        members: [member],
        reading: createLazyEventView(services, live),
      });
      const text = edition?.text ?? null;
      if (text instanceof UndeliverableEvent) throw text;
      return text;
    },
    subscribe(program, listener, after = null) {
      if (after === null) return follower(program, listener);
      return catchUp({
        hub,
        program,
        listener,
        after,
        openLane: (member) => openLane(program, member, listener.concurrency),
        enter: (member) => enter(program, member),
      });
    },
  };
}
