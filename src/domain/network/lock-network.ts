import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';

/** Writes the network's record, so that concurrent transactions that count records of the whole network conflict. */
export async function lockNetwork(context: Context, session: ClientSession): Promise<void> {
  const { networkId } = viewerOf(context);
  const changes = { updatedAt: context.now() };
  await context.store.collections.networks.updateOne({ networkId }, { $set: changes }, { session });
}
