import type { Collections } from '../store/collections.ts';
import type { DisabledReason, WebhookEndpointRecord } from '../store/records/webhook.ts';
import type { EndpointKey } from './queue.ts';
import { FAILING_FOR_MS } from './schedule.ts';

/** Told when an endpoint is disabled without anybody having asked for it. */
export type OnDisabled = (endpoint: EndpointKey, reason: DisabledReason) => void;

/** Whom a call was made to: what came of it says nothing of another URL, to which the endpoint may have moved. */
type Called = Pick<WebhookEndpointRecord, 'networkId' | 'endpointId' | 'url' | 'failingSince'>;

/** Why nothing is to be sent now: until when, or `disabled`; null: it may be sent. */
export function silenceOf(
  { enabled, heldUntil }: Pick<WebhookEndpointRecord, 'enabled' | 'heldUntil'>,
  now: Date,
): Date | 'disabled' | null {
  if (!enabled) return 'disabled';
  return heldUntil !== null && heldUntil > now ? heldUntil : null;
}

/** Something was delivered. Costs a command only where something had failed. @returns whether it did */
export async function noteDelivered({ webhookEndpoints }: Collections, called: Called): Promise<boolean> {
  if (called.failingSince === null) return false;
  await webhookEndpoints.updateOne(placeOf(called), { $set: { failingSince: null } });
  return true;
}

/** Nothing was delivered. @returns whether that has gone on for so long that the endpoint is disabled now */
export async function noteFailed(collections: Collections, called: Called, now: Date): Promise<boolean> {
  const { webhookEndpoints, webhookDeliveries } = collections;
  const { networkId, endpointId, failingSince } = called;
  const place = placeOf(called);
  if (failingSince === null) {
    await webhookEndpoints.updateOne({ ...place, failingSince: null }, { $set: { failingSince: now } });
    return false;
  }
  if (now.getTime() - failingSince.getTime() < FAILING_FOR_MS) return false;
  // Another process may have delivered something just before the first failure was noted.
  const since = { networkId, endpointId, state: 'delivered', deliveredAt: { $gte: failingSince } } as const;
  if (await webhookDeliveries.findOne(since)) {
    await webhookEndpoints.updateOne({ ...place, failingSince }, { $set: { failingSince: now } });
    return false;
  }
  return disable(collections, { ...place, failingSince }, { reason: 'failing', now });
}

/** The receiver wants nothing any more. @returns whether the endpoint was enabled until now */
export function noteGone(collections: Collections, called: Called, now: Date): Promise<boolean> {
  return disable(collections, placeOf(called), { reason: 'gone', now });
}

/** What waits stays, and goes on when the endpoint is enabled again. */
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

/** The receiver asked for silence. */
export async function hold({ webhookEndpoints }: Collections, called: Called, until: Date): Promise<void> {
  await webhookEndpoints.updateOne(placeOf(called), { $max: { heldUntil: until } });
}

function placeOf({ networkId, endpointId, url }: Called) {
  return { networkId, endpointId, url };
}
