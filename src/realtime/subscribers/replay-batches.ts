import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Services } from '../../context.ts';
import type { LiveEvent } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import type { RenderEvent, Subscriber } from '../rendering/renderer.ts';
import type { SubscriptionSpec } from '../subscription-spec.ts';
import { createLazyEventView } from '../visibility/lazy-event-view.ts';
import { createOrderedQueue } from './ordered-queue.ts';
import { createReplayPace } from './replay-pace.ts';

export interface ReplayBatchesOptions {
  services: Services;
  renderEvent: RenderEvent;
  /** Limits concurrent rendering in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
  onError(error: unknown, live: LiveEvent): void;
}

/**
 * Delivers missed events to a subscriber, in order. Resolves when they were delivered or dropped.
 *
 * @param events all matching events between a position and the last of them; at least one
 */
export type ReplayTogether = (
  spec: SubscriptionSpec,
  subscriber: Subscriber,
  events: readonly LiveEvent[],
) => Promise<void>;

interface Batch {
  subscribers: Subscriber[];
  /** Those of the subscriber that missed the most; the others missed the last ones of them. */
  events: readonly LiveEvent[];
  delivered: Promise<void>;
}

/**
 * After a restart, thousands of clients resume from the same events. Those that wait for the same last event share the
 * renderings and one queue, like live subscribers. Later ones get new renderings, so that no subscriber receives data
 * older than its request; when there are many, they wait for each other.
 */
export function createReplayBatches({ services, renderEvent, admit, onError }: ReplayBatchesOptions): ReplayTogether {
  const waiting = new Map<string, Batch>();
  const pace = createReplayPace();

  async function deliver(spec: SubscriptionSpec, { subscribers, events }: Batch): Promise<void> {
    const queue = createOrderedQueue<Subscriber>({
      admit,
      onError,
      render: (live) => renderEvent(spec, live, { subscribers, lazyView: createLazyEventView(services, live) }),
    });
    for (const live of events) queue.push(live, undefined);
    await queue.idle();
  }

  function createBatch(spec: SubscriptionSpec, networkId: string, key: string): Batch {
    const batch: Batch = { subscribers: [], events: [], delivered: Promise.resolve() };
    batch.delivered = pace(compositeKey(networkId, spec.key)).then(async () => {
      // Includes subscribers of the same iteration of the event loop.
      await yieldToEventLoop();
      waiting.delete(key);
      await deliver(spec, batch);
    });
    waiting.set(key, batch);
    return batch;
  }

  return (spec, subscriber, events) => {
    const { networkId } = subscriber.session.viewer;
    const key = compositeKey(networkId, spec.key, events.at(-1)!.cursor);
    const batch = waiting.get(key) ?? createBatch(spec, networkId, key);
    batch.subscribers.push(subscriber);
    if (events.length > batch.events.length) batch.events = events;
    return batch.delivered;
  };
}
