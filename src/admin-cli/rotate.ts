import type { Context } from '../context.ts';
import { hashKey } from '../domain/network/keys/network-keys.ts';
import { rotateKeyAsOperator } from '../domain/settings/change-keys.ts';
import { keysPath } from '../lib/keys-path.ts';
import { readKeys, replaceStoredKey } from '../process/keys.ts';
import { CliError, type Command, UsageError } from '../store-cli/command.ts';
import { asOperator } from './operator.ts';

export const rotate: Command = {
  usage: 'rotate api|server|KEY_ID',
  help: `Replaces a key of the network and prints the new one.

  api, server            the key that API_KEY or SERVER_KEY sets
  KEY_ID                 another key, by its id
  --overlap-hours COUNT  how long the replaced key is still accepted (default 24)

Only the hash of the new key is stored: keep what is printed. A gateway without the setting API_KEY or SERVER_KEY
reads that key from DATA_DIR/keys.json, where this command replaces it; restart the gateway afterwards.`,
  options: { 'overlap-hours': { type: 'string' } },
  positionalCount: [1, 1],
  async run({ config, positionals, options }) {
    const given = options['overlap-hours'] as string | undefined;
    if (given !== undefined && !/^\d+$/.test(given)) throw new UsageError('--overlap-hours: a whole number.');
    const overlapHours = given === undefined ? undefined : Number(given);
    const [key] = positionals as [string];
    const { value, setting } = await asOperator(config, 'rotateKey', async (context) => ({
      setting: await generatedSetting(context, key),
      value: await rotateKeyAsOperator(context, { networkId: config.NETWORK_ID, key, overlapHours }),
    }));
    console.log(value);
    if (setting === null) return;
    const path = keysPath(config.DATA_DIR);
    await replaceStoredKey(config.DATA_DIR, { [setting]: value }).catch((error: Error) => {
      throw new CliError(`${path} still has the replaced key: write the new one there (${error.message}).`);
    });
    console.error(`${path} has the new ${setting}, which a gateway uses from its next start on.`);
  },
};

const SETTINGS: { readonly [key: string]: 'API_KEY' | 'SERVER_KEY' } = { api: 'API_KEY', server: 'SERVER_KEY' };

/** The setting whose key gateways read from the data folder; null for a key that the environment sets, and for any other. */
async function generatedSetting({ config, store }: Context, key: string): Promise<'API_KEY' | 'SERVER_KEY' | null> {
  const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key]! : null;
  if (setting === null || config[setting] !== undefined) return null;
  const network = await store.collections.networks.findOne({ networkId: config.NETWORK_ID });
  const used = setting === 'API_KEY' ? network?.apiKeyHash : network?.serverKeyHash;
  return hashKey((await readKeys(config))[setting]) === used ? setting : null;
}
