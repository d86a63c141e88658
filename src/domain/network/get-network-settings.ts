import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Loaders } from '../../store/loaders.ts';
import { type ReadableSettings, readableSettings } from './readable-settings.ts';
import { SETTING_NAMES, valueAt } from './setting-names.ts';

/** One promise per request, keyed by its loaders: resolvers of every record in a list share one database command. */
const settingsByRequest = new WeakMap<Loaders, Promise<ReadableSettings>>();

/** The settings that published clients read at login (`docs/interface.md#network-settings`); read once per request. */
export function getNetworkSettings(context: Context): Promise<ReadableSettings> {
  const settings = settingsByRequest.get(context.load) ?? readSettings(context);
  settingsByRequest.set(context.load, settings);
  return settings;
}

function readSettings(context: Context): Promise<ReadableSettings> {
  return settingsOf(context, viewerOf(context).networkId);
}

async function settingsOf({ store }: Context, networkId: string): Promise<ReadableSettings> {
  const network = await store.collections.networks.findOne({ networkId });
  if (!network) throw notFound('Network');
  return readableSettings(network);
}

/** The values of all settings by name, for the operator of the gateway, who needs no session. */
export async function readSettingsAsOperator(
  context: Context,
  networkId: string,
): Promise<ReadonlyMap<string, unknown>> {
  const settings = await settingsOf(context, networkId);
  return new Map(SETTING_NAMES.map((name) => [name, valueAt(settings, name)]));
}
