import { parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { LiveEvent } from '../../src/events/log.ts';
import type { FanOut } from '../../src/realtime/fan-out.ts';
import { serviceSession } from '../../src/realtime/subscribers/service-session.ts';
import type { SubscriptionSpec } from '../../src/realtime/subscription-spec.ts';
import type { RenderBody } from '../../src/webhooks/attempt.ts';
import { webhookNameOf } from '../../src/webhooks/names.ts';
import { isRefused } from '../documents/prepare.ts';
import type { Executor } from '../execute.ts';
import { parseSubscription } from '../subscriptions/parse-subscription.ts';
import { operationFor } from './selection.ts';

export interface RenderBodyOptions {
  executor: Executor;
  renderFor: FanOut['renderFor'];
  /** The documented body of the webhook of this name. */
  documented(webhookName: string): SubscriptionSpec;
}

/** How long endpoints share a rendered body. Short, because the records in it can change. */
const SHARED_MS = 1_000;
/** Maximum heap size of the shared bodies. */
const MAX_SHARED_BYTES = 4 * 1_048_576;
/** Assumed size of a body that is being rendered. */
const PENDING_BYTES = 1_024;

/**
 * Renders request bodies of webhooks, once for all endpoints with the same body: the documented one, equal to the response
 * of `GET /webhook/<name>`, or the result of the GraphQL document of the endpoint. Either is rendered with the rights of the
 * network's own server.
 */
export function createRenderBody({ executor, renderFor, documented }: RenderBodyOptions): RenderBody {
  const shared = new LRUCache<string, Promise<string | null>>({ maxSize: MAX_SHARED_BYTES, ttl: SHARED_MS });

  return ({ event, cursor }, { selection }) => {
    const { networkId, eventId } = event;
    const key = JSON.stringify([networkId, eventId, cursor, selection]);
    const known = shared.get(key);
    if (known) return known;
    const rendering = render({ event, cursor }, selection);
    shared.set(key, rendering, { size: PENDING_BYTES });
    rendering.then(
      (body) => {
        if (shared.peek(key) !== rendering) return;
        const ttl = shared.getRemainingTTL(key);
        // The size of an entry is taken when it is added.
        shared.delete(key);
        if (ttl > 0) shared.set(key, rendering, { size: sizeOf(key, body), ttl });
      },
      () => shared.delete(key),
    );
    return rendering;
  };

  async function render(live: LiveEvent, selection: string | null): Promise<string | null> {
    const { type } = live.event;
    const name = webhookNameOf(type);
    if (name === null) return null;
    const spec = selection === null ? documented(name) : selected(executor, selection, type);
    // The selection does not cover this event: nothing is sent, instead of the body of another event.
    if (!spec?.types.has(type)) return null;
    return renderFor(spec, serviceSession(live.event.networkId), live);
  }
}

/** A character takes two bytes in a text with one outside Latin-1. */
const sizeOf = (key: string, body: string | null): number => PENDING_BYTES + 2 * (key.length + (body?.length ?? 0));

/** @returns null if the selection has no operation for the event @throws Error for a document that is no longer valid */
function selected(executor: Executor, selection: string, type: string): SubscriptionSpec | null {
  const operation = operationFor(parse(selection), type);
  if (!operation) return null;
  const prepared = executor.prepare(selection, operation.name?.value);
  if (isRefused(prepared)) throw new Error(`The selection is no longer valid: ${prepared.errors[0]?.message}`);
  const subscribed = parseSubscription(executor, prepared, {});
  if ('errors' in subscribed) throw new Error(`The selection is no longer valid: ${subscribed.errors[0]?.message}`);
  return subscribed.spec;
}
