import { readSettingsAsOperator } from '../domain/network/get-network-settings.ts';
import { SETTING_NAMES } from '../domain/network/setting-names.ts';
import { changeSettingAsOperator } from '../domain/settings/update-network-settings.ts';
import { type Call, CliError, type Command, UsageError } from '../store-cli/command.ts';
import { asOperator } from './operator.ts';

export const settings: Command = {
  usage: 'settings list|get|set …',
  help: `Prints or changes settings of the network.

  list            prints every setting, as NAME = VALUE
  get NAME        prints the value of a setting
  set NAME VALUE  changes a setting: true, false, a text, or an object as JSON

Running gateways apply a change within two seconds. Settings of the gateway itself, such as ports and limits, are
environment variables.`,
  options: {},
  positionalCount: [1, 3],
  run(call) {
    const [action, ...given] = call.positionals;
    const command = action === undefined || !Object.hasOwn(ACTIONS, action) ? undefined : ACTIONS[action];
    if (!command) throw new UsageError(`There is no command 'settings ${action}'.`);
    if (given.length !== command.count) throw new UsageError(`settings ${action} takes ${command.count} arguments.`);
    return command.run(call, given);
  },
};

interface Action {
  /** Its number of arguments. */
  count: number;
  run(call: Call, given: readonly string[]): Promise<void>;
}

const ACTIONS: { readonly [action: string]: Action } = {
  list: {
    count: 0,
    async run(call) {
      for (const [name, value] of await read(call)) console.log(`${name} = ${textOf(value)}`);
    },
  },
  get: {
    count: 1,
    async run(call, [name]) {
      assertKnown(name!);
      console.log(textOf((await read(call)).get(name!)));
    },
  },
  set: {
    count: 2,
    async run({ config }, [name, text]) {
      assertKnown(name!);
      const { NETWORK_ID: networkId } = config;
      const value = await asOperator(config, 'updateNetworkSettings', (context) =>
        changeSettingAsOperator(context, { networkId, name: name!, value: parsed(text!) }),
      );
      console.log(`${name} = ${textOf(value)}`);
    },
  },
};

function assertKnown(name: string): void {
  if (!SETTING_NAMES.includes(name))
    throw new CliError('Setting not found: `settings list` prints the names of all settings.');
}

function read({ config }: Call): Promise<ReadonlyMap<string, unknown>> {
  return asOperator(config, 'networkSettings', (context) => readSettingsAsOperator(context, config.NETWORK_ID));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Parses the value of an argument. Only booleans and objects are JSON, because no setting is a number or null. */
function parsed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('VALUE: invalid JSON.');
  }
}
