import type { Services } from '../../../context.ts';

/**
 * Stores when this process last accepted each key, in one command for each key that was used since the last call. If the
 * database rejects one, the uses are kept for the next call.
 */
export async function storeKeyUses({ store }: Pick<Services, 'store'>): Promise<void> {
  const { networks } = store.collections;
  const uses = store.keyUses.take();
  try {
    for (const { networkId, keyId, at } of uses)
      await networks.updateOne({ networkId, 'keys.keyId': keyId }, { $max: { 'keys.$.lastUsedAt': at } });
  } catch (error) {
    for (const use of uses) if (store.keyUses.lastUse(use.networkId, use.keyId) === null) store.keyUses.note(use);
    throw error;
  }
}
