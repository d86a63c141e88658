import type { Collections } from '../store/collections.ts';
import type { DisabledReason, WebhookEndpointRecord } from '../store/records/webhook.ts';
import type { EndpointKey } from './queue.ts';
import { FAILING_FOR_MS } from './schedule.ts';

/** Told when an endpoint is disabled without anybody having asked for it. */
export type OnDisabled = (endpoint: EndpointKey, reason: DisabledReason) => void;

/** Something was delivered. Costs a command only where something had failed. */
export async function noteDelivered(
  { webhookEndpoints }: Collections,
  { networkId, endpointId, failingSince }: WebhookEndpointRecord,
): Promise<void> {
  if (failingSince !== null)
    await webhookEndpoints.updateOne({ networkId, endpointId }, { $set: { failingSince: null } });
}

/** Nothing was delivered. @returns whether that has gone on for so long that the endpoint is disabled now */
export async function noteFailed(
  collections: Collections,
  { networkId, endpointId, failingSince }: WebhookEndpointRecord,
  now: Date,
): Promise<boolean> {
  const { webhookEndpoints, webhookDeliveries } = collections;
  const key = { networkId, endpointId };
  if (failingSince === null) {
    await webhookEndpoints.updateOne({ ...key, failingSince: null }, { $set: { failingSince: now } });
    return false;
  }
  if (now.getTime() - failingSince.getTime() < FAILING_FOR_MS) return false;
  // Another process may have delivered something just before the first failure was noted.
  const since = { ...key, state: 'delivered', deliveredAt: { $gte: failingSince } } as const;
  if (await webhookDeliveries.findOne(since)) {
    await webhookEndpoints.updateOne(key, { $set: { failingSince: now } });
    return false;
  }
  return disable(collections, key, { reason: 'failing', now });
}

/** What waits stays, and goes on when the endpoint is enabled again. @returns whether it was enabled until now */
export async function disable(
  { webhookEndpoints }: Collections,
  { networkId, endpointId }: EndpointKey,
  { reason, now }: { reason: DisabledReason; now: Date },
): Promise<boolean> {
  const { matchedCount } = await webhookEndpoints.updateOne(
    { networkId, endpointId, enabled: true },
    {
      $set: { enabled: false, disabledReason: reason, disabledAt: now, updatedAt: now },
      $unset: { dueAt: '' },
      $inc: { queued: 1 },
    },
  );
  return matchedCount > 0;
}

/** The receiver asked for silence. */
export async function hold(
  { webhookEndpoints }: Collections,
  { networkId, endpointId }: EndpointKey,
  until: Date,
): Promise<void> {
  await webhookEndpoints.updateOne({ networkId, endpointId }, { $max: { heldUntil: until } });
}
