import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Services } from '../../context.ts';
import type { LiveEvent } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import { type Rendering, textFor } from '../subscribers/ordered-queue.ts';
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

/** An event that is requested again and again is rendered at most once in this time, after the first renderings. */
const INTERVAL_MS = 100;
const FIRST_RENDERINGS = 4;
/** Events whose renderings are counted. */
const MAX_COUNTED = 5_000;

/**
 * After a restart, thousands of clients resume from the same events. Requests for an event that is still waiting to be
 * rendered are batched and share one rendering, like live subscribers. Later requests get a new rendering, so that no
 * subscriber receives data older than its request; when there are many, they wait for each other.
 */
export function createReplayRenderer({ services, renderEvent, admit }: ReplayRendererOptions): RenderReplay {
  const waiting = new Map<string, Batch>();
  /** By event: when it would be rendered next at this rate. */
  const nextAt = new LRUCache<string, number>({ max: MAX_COUNTED });

  /** Waits before a further rendering of an event that was just rendered several times. */
  async function limitRate(key: string): Promise<void> {
    const now = performance.now();
    const next = Math.max(now, nextAt.get(key) ?? 0);
    nextAt.set(key, next + INTERVAL_MS);
    const waitMs = next - now - (FIRST_RENDERINGS - 1) * INTERVAL_MS;
    if (waitMs > 0) await pause(waitMs);
  }

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
    const texts = limitRate(key).then(() => admit(() => renderBatch(key, spec, live, subscribers)));
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
