import type { Services } from '../../context.ts';
import type { Cursor } from '../../events/cursor.ts';
import type { LiveEvent } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import type { RenderEvent, Subscriber } from '../rendering/renderer.ts';
import type { SubscriptionSpec } from '../subscription-spec.ts';
import { createLazyEventView } from '../visibility/lazy-event-view.ts';
import { createOrderedQueue, type OrderedQueue, type Rendering, textFor } from './ordered-queue.ts';
import { createReplayBatcher } from './replay-batcher.ts';

/**
 * Delivers missed events to returning subscribers, in order. First each receives older ones from a queue of its own, as
 * fast as it reads them. The last ones, which most of them miss, are delivered to all who return at the same time together.
 */
export interface Replays {
  /**
   * Creates a queue that delivers missed events to one subscriber. Subscribers whose queues wait for the same event share
   * its rendering.
   * @param concurrency events that are rendered concurrently; undefined: unlimited
   */
  createQueue(spec: SubscriptionSpec, subscriber: Subscriber, concurrency: number | undefined): OrderedQueue;
  /**
   * Delivers missed events to a subscriber together with others, from one queue, like live events. Resolves when they were
   * delivered or dropped.
   * @param events all matching events between two positions; at least one
   */
  deliverTogether(spec: SubscriptionSpec, subscriber: Subscriber, events: readonly LiveEvent[]): Promise<void>;
}

export interface ReplaysOptions {
  services: Services;
  renderEvent: RenderEvent;
  /** Limits concurrent rendering in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  onError(error: unknown, live: LiveEvent): void;
}

/** A request for the rendering of one event. */
interface RenderRequest {
  spec: SubscriptionSpec;
  live: LiveEvent;
  subscriber: Subscriber;
}

/** A request for the delivery of events. */
interface DeliveryRequest {
  spec: SubscriptionSpec;
  subscriber: Subscriber;
  events: readonly LiveEvent[];
}

/** Subscribers that missed the same events. */
interface Range {
  first: Cursor;
  last: Cursor;
  events: readonly LiveEvent[];
  subscribers: Subscriber[];
}

export function createReplays({ services, renderEvent, admit, onError }: ReplaysOptions): Replays {
  const renderTogether = createReplayBatcher({ admit, work: renderForAll });
  const deliverTogether = createReplayBatcher({ work: deliverToAll });

  const render = (spec: SubscriptionSpec, live: LiveEvent, subscribers: readonly Subscriber[]) =>
    renderEvent(spec, live, { subscribers, lazyView: createLazyEventView(services, live) });

  /** All requests are for the same event. */
  async function renderForAll(
    requests: readonly RenderRequest[],
  ): Promise<ReadonlyMap<Subscriber, Rendering<Subscriber>['text']>> {
    const { spec, live } = requests[0]!;
    const renderings = await render(
      spec,
      live,
      requests.map(({ subscriber }) => subscriber),
    );
    return new Map(
      renderings.flatMap(({ text, recipients }) => recipients.map((one) => [one, textFor(text, one)] as const)),
    );
  }

  /**
   * All requests have the same spec. Most of their events are the same: the last of the log. Each subscriber gets those that
   * its own request names, although the queue has more: later ones reach it as live events.
   */
  async function deliverToAll(requests: readonly DeliveryRequest[]): Promise<void> {
    const { spec } = requests[0]!;
    const ranges = rangesOf(requests);
    const queue = createOrderedQueue<Subscriber>({
      admit,
      onError,
      render(live) {
        const missed = ranges.filter(({ first, last }) => first <= live.cursor && live.cursor <= last);
        return render(
          spec,
          live,
          missed.flatMap(({ subscribers }) => subscribers),
        );
      },
    });
    for (const live of eventsOf(ranges)) queue.push(live, undefined);
    await queue.idle();
  }

  return {
    createQueue: (spec, subscriber, concurrency) =>
      createOrderedQueue<Subscriber>({
        // The batcher admits each rendering, with all who wait for it.
        admit: (work) => work(),
        concurrency,
        onError,
        async render(live) {
          const texts = await renderTogether(keyOf(spec, subscriber, live.cursor), { spec, live, subscriber });
          const text = texts.get(subscriber);
          return text === undefined ? [] : [{ text, recipients: [subscriber] }];
        },
      }),
    deliverTogether: (spec, subscriber, events) =>
      deliverTogether(keyOf(spec, subscriber), { spec, subscriber, events }),
  };
}

function keyOf(spec: SubscriptionSpec, { session }: Subscriber, ...position: Cursor[]): string {
  return compositeKey(session.viewer.networkId, spec.key, ...position);
}

function rangesOf(requests: readonly DeliveryRequest[]): Range[] {
  const ranges = new Map<string, Range>();
  for (const { subscriber, events } of requests) {
    const first = events[0]!.cursor;
    const last = events.at(-1)!.cursor;
    const key = compositeKey(first, last);
    const range = ranges.get(key);
    if (range) range.subscribers.push(subscriber);
    else ranges.set(key, { first, last, events, subscribers: [subscriber] });
  }
  return [...ranges.values()];
}

/** The events of all ranges, each once, in the order of the log. */
function eventsOf(ranges: readonly Range[]): LiveEvent[] {
  const byCursor = new Map(ranges.flatMap(({ events }) => events.map((live) => [live.cursor, live] as const)));
  return [...byCursor.values()].sort((one, other) => (one.cursor < other.cursor ? -1 : 1));
}
