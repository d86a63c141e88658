import type { Collections } from '../store/collections.ts';

/** Pending deliveries that are counted at most: counting reads each of them. */
export const MAX_COUNTED = 100_000;

/**
 * The pending deliveries of a network, those of disabled endpoints included; at most {@link MAX_COUNTED}. Those of deleted
 * endpoints, which are never sent, are stored until they expire.
 */
export async function countPending(
  { webhookDeliveries, webhookEndpoints }: Collections,
  networkId: string,
): Promise<number> {
  const endpoints = await webhookEndpoints.find({ networkId }, { projection: { _id: 0, endpointId: 1 } }).toArray();
  const endpointId = { $in: endpoints.map((endpoint) => endpoint.endpointId) };
  return webhookDeliveries.countDocuments({ networkId, endpointId, state: 'pending' }, { limit: MAX_COUNTED });
}
