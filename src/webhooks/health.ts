import type { Collections } from '../store/collections.ts';
import type { DisabledReason, WebhookEndpointRecord } from '../store/records/webhook.ts';
import type { EndpointKey } from './queue.ts';
import { FAILING_FOR_MS } from './schedule.ts';

/** Called when an endpoint is disabled automatically. */
export type OnDisabled = (endpoint: EndpointKey, reason: DisabledReason) => void;

/** The endpoint of a call. Results are ignored when the endpoint no longer uses this URL. */
type Called = Pick<WebhookEndpointRecord, 'networkId' | 'endpointId' | 'url' | 'failingSince'>;

/** Until when nothing is sent to the endpoint, or `disabled`; null when deliveries may be sent. */
export function pausedUntil(
  { enabled, heldUntil }: Pick<WebhookEndpointRecord, 'enabled' | 'heldUntil'>,
  now: Date,
): Date | 'disabled' | null {
  if (!enabled) return 'disabled';
  return heldUntil !== null && heldUntil > now ? heldUntil : null;
}

/** Records a successful delivery; sends a command only after a failure. @returns whether the endpoint had been failing */
export async function recordSuccess({ webhookEndpoints }: Collections, called: Called): Promise<boolean> {
  if (called.failingSince === null) return false;
  await webhookEndpoints.updateOne(filterOf(called), { $set: { failingSince: null } });
  return true;
}

/** Records a failed delivery. @returns whether the endpoint was disabled because it has failed for too long */
export async function recordFailure(collections: Collections, called: Called, now: Date): Promise<boolean> {
  const { webhookEndpoints, webhookDeliveries } = collections;
  const { networkId, endpointId, failingSince } = called;
  const filter = filterOf(called);
  if (failingSince === null) {
    await webhookEndpoints.updateOne({ ...filter, failingSince: null }, { $set: { failingSince: now } });
    return false;
  }
  if (now.getTime() - failingSince.getTime() < FAILING_FOR_MS) return false;
  // Another process may have delivered just before the first failure was recorded.
  const since = { networkId, endpointId, state: 'delivered', deliveredAt: { $gte: failingSince } } as const;
  if (await webhookDeliveries.findOne(since)) {
    await webhookEndpoints.updateOne({ ...filter, failingSince }, { $set: { failingSince: now } });
    return false;
  }
  return disable(collections, { ...filter, failingSince }, { reason: 'failing', now });
}

/** Disables the endpoint after an answer 410. @returns whether it was enabled before */
export function recordGone(collections: Collections, called: Called, now: Date): Promise<boolean> {
  return disable(collections, filterOf(called), { reason: 'gone', now });
}

/** Disables an endpoint. Pending deliveries are kept, and sent when the endpoint is enabled again. */
async function disable(
  { webhookEndpoints }: Collections,
  seen: EndpointKey & Partial<WebhookEndpointRecord>,
  { reason, now }: { reason: DisabledReason; now: Date },
): Promise<boolean> {
  const { matchedCount } = await webhookEndpoints.updateOne(
    { ...seen, enabled: true },
    {
      $set: { enabled: false, disabledReason: reason, disabledAt: now, updatedAt: now },
      $unset: { dueAt: '' },
      $inc: { queued: 1 },
    },
  );
  return matchedCount > 0;
}

/** Pauses the endpoint, as its receiver requested with `Retry-After`. */
export async function pauseEndpoint({ webhookEndpoints }: Collections, called: Called, until: Date): Promise<void> {
  await webhookEndpoints.updateOne(filterOf(called), { $max: { heldUntil: until } });
}

function filterOf({ networkId, endpointId, url }: Called) {
  return { networkId, endpointId, url };
}
