import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Services } from '../../context.ts';
import type { LiveEvent } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import { type Rendering, textFor } from '../subscribers/ordered-queue.ts';
import { createReplayPace } from '../subscribers/replay-pace.ts';
import type { SubscriptionSpec } from '../subscription-spec.ts';
import { createLazyEventView } from '../visibility/lazy-event-view.ts';
import type { RenderEvent, Subscriber } from './renderer.ts';

export interface ReplayRendererOptions {
  services: Services;
  renderEvent: RenderEvent;
  /** Limits concurrent rendering in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Renders a missed event for one subscriber; empty when the subscriber may not see it. */
export type RenderReplay = (
  spec: SubscriptionSpec,
  live: LiveEvent,
  subscriber: Subscriber,
) => Promise<Array<Rendering<Subscriber>>>;

interface Batch {
  subscribers: Subscriber[];
  texts: Promise<ReadonlyMap<Subscriber, Rendering<Subscriber>['text']>>;
}

/**
 * Renders missed events that each subscriber receives from a queue of its own: the ones before those of
 * `replay-batches.ts`. Requests for an event that is still waiting to be rendered share one rendering. Later requests
 * get a new one, so that no subscriber receives data older than its request; when there are many, they wait for each other.
 */
export function createReplayRenderer({ services, renderEvent, admit }: ReplayRendererOptions): RenderReplay {
  const waiting = new Map<string, Batch>();
  const pace = createReplayPace();

  async function renderBatch(key: string, spec: SubscriptionSpec, live: LiveEvent, subscribers: readonly Subscriber[]) {
    // Includes requests of the same iteration of the event loop.
    await yieldToEventLoop();
    waiting.delete(key);
    const renderings = await renderEvent(spec, live, { subscribers, lazyView: createLazyEventView(services, live) });
    return new Map(
      renderings.flatMap(({ text, recipients }) => recipients.map((one) => [one, textFor(text, one)] as const)),
    );
  }

  function createBatch(key: string, spec: SubscriptionSpec, live: LiveEvent): Batch {
    const subscribers: Subscriber[] = [];
    const texts = pace(key).then(() => admit(() => renderBatch(key, spec, live, subscribers)));
    const batch = { subscribers, texts };
    waiting.set(key, batch);
    return batch;
  }

  return async (spec, live, subscriber) => {
    const key = compositeKey(live.event.networkId, spec.key, live.cursor);
    const { subscribers, texts } = waiting.get(key) ?? createBatch(key, spec, live);
    subscribers.push(subscriber);
    const text = (await texts).get(subscriber);
    return text === undefined ? [] : [{ text, recipients: [subscriber] }];
  };
}
