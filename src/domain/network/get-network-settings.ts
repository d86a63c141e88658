import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { NetworkSettings } from '../../store/records/user.ts';

/** What published clients ask for at login (legacy-facts §2.1). */
export async function getNetworkSettings(context: Context): Promise<NetworkSettings> {
  const { networkId } = viewerOf(context);
  const network = await context.store.collections.networks.findOne({ networkId });
  if (!network) throw notFound('Network');
  return network.settings;
}
