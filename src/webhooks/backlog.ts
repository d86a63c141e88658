import type { Collections } from '../store/collections.ts';

/** Pending deliveries that are counted at most: counting reads each of them. */
export const MAX_COUNTED = 100_000;

/** The pending deliveries of a network, those of disabled endpoints included; at most {@link MAX_COUNTED}. */
export function countPending({ webhookDeliveries }: Collections, networkId: string): Promise<number> {
  return webhookDeliveries.countDocuments({ networkId, state: 'pending' }, { limit: MAX_COUNTED });
}
