import type { Collections } from '../store/collections.ts';
import type { EventRecord } from '../store/records/event.ts';
import type { WebhookEndpointRecord } from '../store/records/webhook.ts';
import { webhookNameOf } from './names.ts';
import type { NewDelivery } from './queue.ts';

/** What clocks may differ by: an endpoint hears of what happened after it was made, on whichever machine. */
const CLOCKS_DIFFER_MS = 60_000;

/** An event, with its place in the log where that is known. */
export interface Told {
  event: EventRecord;
  cursor: string | null;
}

/** A delivery, and its endpoint as it was read. */
export interface Meant {
  delivery: NewDelivery;
  endpoint: WebhookEndpointRecord;
  /** When that began, in the time of `performance.now()`. */
  readAt: number;
}

/** Every delivery that these events mean, to the endpoints as they are now. Networks may have switched theirs off. */
export async function deliveriesOf(
  { webhookEndpoints, networks }: Collections,
  events: readonly Told[],
): Promise<Meant[]> {
  const told = events.filter(({ event }) => webhookNameOf(event.type) !== null);
  if (told.length === 0) return [];
  const networkIds = [...new Set(told.map(({ event }) => event.networkId))];
  const readAt = performance.now();
  const [endpoints, off] = await Promise.all([
    webhookEndpoints.find({ networkId: { $in: networkIds }, enabled: true }).toArray(),
    networks
      .find({ networkId: { $in: networkIds }, 'settings.webhook.enabled': false }, { projection: { networkId: 1 } })
      .toArray(),
  ]);
  const silent = new Set(off.map(({ networkId }) => networkId));
  return told.flatMap(({ event, cursor }) => {
    const wanting = endpoints.filter((endpoint) => !silent.has(endpoint.networkId) && wants(endpoint, event));
    return wanting.map((endpoint) => ({ delivery: deliveryOf(endpoint, event, cursor), endpoint, readAt }));
  });
}

function wants(endpoint: WebhookEndpointRecord, event: EventRecord): boolean {
  return isTold(endpoint, event) && event.createdAt.getTime() >= endpoint.createdAt.getTime() - CLOCKS_DIFFER_MS;
}

/** Whether an endpoint is told of an event, whenever it was. */
export function isTold({ networkId, events }: WebhookEndpointRecord, event: EventRecord): boolean {
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
