import { rotateKeyAsOperator } from '../domain/settings/change-keys.ts';
import { type Command, UsageError } from '../store-cli/command.ts';
import { asOperator } from './operator.ts';

export const rotate: Command = {
  usage: 'rotate api|server|KEY_ID',
  help: `Replaces a key of the network and prints the new one.

  api, server            the key that API_KEY or SERVER_KEY sets
  KEY_ID                 another key, by its id
  --overlap-hours COUNT  how long the replaced key is still accepted (default 24)

Only the hash of the new key is stored: keep what is printed.`,
  options: { 'overlap-hours': { type: 'string' } },
  positionalCount: [1, 1],
  async run({ config, positionals, options }) {
    const given = options['overlap-hours'] as string | undefined;
    if (given !== undefined && !/^\d+$/.test(given)) throw new UsageError('--overlap-hours: a whole number.');
    const overlapHours = given === undefined ? undefined : Number(given);
    const value = await asOperator(config, 'rotateKey', (context) =>
      rotateKeyAsOperator(context, { networkId: config.NETWORK_ID, key: positionals[0]!, overlapHours }),
    );
    console.log(value);
  },
};
