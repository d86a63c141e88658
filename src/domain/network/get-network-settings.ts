import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Loaders } from '../../store/loaders.ts';
import type { NetworkSettings } from '../../store/records/user.ts';

/** By the loaders of a request: what asks for every record of a list shares one command. */
const asked = new WeakMap<Loaders, Promise<NetworkSettings>>();

/** What published clients ask for at login (legacy-facts §2.1), read once a request. */
export function getNetworkSettings(context: Context): Promise<NetworkSettings> {
  const settings = asked.get(context.load) ?? readSettings(context);
  asked.set(context.load, settings);
  return settings;
}

async function readSettings(context: Context): Promise<NetworkSettings> {
  const { networkId } = viewerOf(context);
  const network = await context.store.collections.networks.findOne({ networkId });
  if (!network) throw notFound('Network');
  return network.settings;
}
