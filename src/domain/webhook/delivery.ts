import { canManageWebhooks } from '../../access/webhook.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { DeliveryState, WebhookDeliveryRecord, WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { type WebhookEndpoint, withoutSecrets } from './endpoint.ts';

const NEWEST_FIRST: KeysetOrder = { field: 'createdAt', direction: -1, type: 'date' };
const OLDEST_FIRST: KeysetOrder = { field: 'createdAt', direction: 1, type: 'date' };

/** The public id of a delivery: the ids of its endpoint and its event. */
export function deliveryIdOf({ endpointId, eventId }: WebhookDeliveryRecord): string {
  return `${endpointId}-${eventId}`;
}

/** The parts of a public delivery id; null for a malformed one. */
export function deliveryKeyOf(deliveryId: string): { endpointId: string; eventId: string } | null {
  const [, endpointId, eventId] = /^([0-9a-f]{24})-([0-9a-f]{24})$/.exec(deliveryId) ?? [];
  return endpointId && eventId ? { endpointId, eventId } : null;
}

/** A delivery; null if it does not exist or the viewer does not manage webhooks. */
export async function getWebhookDelivery(
  context: Context,
  { deliveryId }: { deliveryId: string },
): Promise<WebhookDeliveryRecord | null> {
  const viewer = viewerOf(context);
  const key = deliveryKeyOf(deliveryId);
  if (!key || !canManageWebhooks(viewer)) return null;
  const { networkId } = viewer;
  return context.store.collections.webhookDeliveries.findOne({ networkId, ...key });
}

/** The request body of a delivery; null before it is rendered, or if the viewer does not manage webhooks. */
export async function webhookBodyOf(
  context: Context,
  { bodyId, body }: Pick<WebhookDeliveryRecord, 'bodyId' | 'body'>,
): Promise<string | null> {
  if (!canManageWebhooks(viewerOf(context))) return null;
  if (body !== null || bodyId === undefined) return body;
  return (await context.load.webhookBodies.load(bodyId))?.body ?? null;
}

/** A page of the network's endpoints, oldest first. */
export async function listWebhookEndpoints(context: Context, request: PageRequest): Promise<Page<WebhookEndpoint>> {
  const viewer = viewerOf(context);
  if (!canManageWebhooks(viewer)) return emptyPage(OLDEST_FIRST);
  const { networkId } = viewer;
  const page = await readPage<WebhookEndpointRecord>({
    collection: context.store.collections.webhookEndpoints,
    budget: context.reads,
    filter: { networkId },
    order: OLDEST_FIRST,
    request,
  });
  return { ...page, records: page.records.map(withoutSecrets) };
}

export interface DeliveryQuery {
  endpointId: string;
  state?: DeliveryState | null | undefined;
  request: PageRequest;
}

/** A page of an endpoint's deliveries, newest first. */
export async function listWebhookDeliveries(
  context: Context,
  { endpointId, state, request }: DeliveryQuery,
): Promise<Page<WebhookDeliveryRecord>> {
  const viewer = viewerOf(context);
  if (!canManageWebhooks(viewer)) return emptyPage(NEWEST_FIRST);
  const { networkId } = viewer;
  return readPage({
    collection: context.store.collections.webhookDeliveries,
    budget: context.reads,
    filter: { networkId, endpointId, ...(state && { state }) },
    order: NEWEST_FIRST,
    request,
  });
}
