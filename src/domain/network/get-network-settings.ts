import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Loaders } from '../../store/loaders.ts';
import { type ReadableSettings, readableSettings } from './readable-settings.ts';

/** One promise per request, keyed by its loaders: resolvers of every record in a list share one database command. */
const settingsByRequest = new WeakMap<Loaders, Promise<ReadableSettings>>();

/** The settings that published clients read at login (`docs/interface.md#network-settings`); read once per request. */
export function getNetworkSettings(context: Context): Promise<ReadableSettings> {
  const settings = settingsByRequest.get(context.load) ?? readSettings(context);
  settingsByRequest.set(context.load, settings);
  return settings;
}

async function readSettings(context: Context): Promise<ReadableSettings> {
  const { networkId } = viewerOf(context);
  const network = await context.store.collections.networks.findOne({ networkId });
  if (!network) throw notFound('Network');
  return readableSettings(network);
}
