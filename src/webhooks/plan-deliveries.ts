import type { Collections } from '../store/collections.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { WebhookEndpointRecord } from '../store/records/webhook.ts';
import { webhookNameOf } from './names.ts';
import type { NetworksWithoutEndpoints } from './networks-without-endpoints.ts';
import type { NewDelivery } from './queue.ts';

/** Tolerated difference of clocks: an endpoint receives events since its creation, whichever machine wrote them. */
const CLOCKS_DIFFER_MS = 60_000;

/** An event; with its cursor, if it was read from the log. */
export interface LoggedEvent {
  event: EventRecord;
  cursor: string | null;
}

/** A delivery to create, with its endpoint. */
export interface PlannedDelivery {
  delivery: NewDelivery;
  endpoint: WebhookEndpointRecord;
  /** When reading the endpoint began, in `performance.now()` time. */
  readAt: number;
}

/**
 * Plans the deliveries of these events to all subscribed endpoints. Networks with disabled webhooks get none.
 *
 * @param without for events in the order of the log: networks that need no search
 */
export async function planDeliveries(
  { webhookEndpoints, networks }: Collections,
  events: readonly LoggedEvent[],
  without?: NetworksWithoutEndpoints,
): Promise<PlannedDelivery[]> {
  const deliverable = events.filter(
    ({ event }) => webhookNameOf(event.type) !== null && !without?.has(event.networkId),
  );
  if (deliverable.length === 0) return [];
  const networkIds = [...new Set(deliverable.map(({ event }) => event.networkId))];
  const readAt = performance.now();
  const changes = without?.changes;
  const [endpoints, off] = await Promise.all([
    webhookEndpoints.find({ networkId: { $in: networkIds }, enabled: true }).toArray(),
    networks
      .find({ networkId: { $in: networkIds }, 'settings.webhook.enabled': false }, { projection: { networkId: 1 } })
      .toArray(),
  ]);
  if (without) {
    const found = new Set(endpoints.map(({ networkId }) => networkId));
    for (const networkId of networkIds) if (!found.has(networkId)) without.add(networkId, changes!);
  }
  const disabled = new Set(off.map(({ networkId }) => networkId));
  return deliverable.flatMap(({ event, cursor }) => {
    const subscribed = endpoints.filter((endpoint) => !disabled.has(endpoint.networkId) && wants(endpoint, event));
    return subscribed.map((endpoint) => ({ delivery: deliveryOf(endpoint, event, cursor), endpoint, readAt }));
  });
}

function wants(endpoint: WebhookEndpointRecord, event: EventRecord): boolean {
  return (
    isSubscribedTo(endpoint, event) && event.createdAt.getTime() >= endpoint.createdAt.getTime() - CLOCKS_DIFFER_MS
  );
}

/** Whether the endpoint subscribes to events of this type, regardless of when the event happened. */
export function isSubscribedTo({ networkId, events }: WebhookEndpointRecord, event: EventRecord): boolean {
  return event.networkId === networkId && events.includes(webhookNameOf(event.type) ?? '');
}

export function deliveryOf(
  { networkId, endpointId }: WebhookEndpointRecord,
  source: EventRecord,
  cursor: string | null = null,
): NewDelivery {
  const { eventId, type } = source;
  return { networkId, endpointId, eventId, event: webhookNameOf(type)!, source, cursor, body: null };
}
