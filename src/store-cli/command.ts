import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';

/** One command of `npm run store`. */
export interface Command {
  /** What comes after its name, as the help shows it. */
  usage: string;
  /** For people: what it does and what its options mean. */
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** How many arguments it takes besides options. */
  takes: readonly [least: number, most: number];
  run(call: Call): Promise<void>;
}

export interface Call {
  config: Config;
  /** The arguments besides options. */
  given: string[];
  /** The options that were given; those of the command itself and those that all have. */
  options: Record<string, string | boolean | undefined>;
}

/** Something went wrong that a person can do something about; the message says what. Ends with code 1. */
export class Failure extends Error {}

/** The command was not understood. Ends with code 2. */
export class UsageError extends Error {}

/** @throws UsageError for an unknown option, a missing value, or too many or too few arguments */
export function parseCall(command: Command, args: string[]): Call {
  let parsed: { values: Call['options']; positionals: string[] };
  try {
    const options = { ...command.options, 'data-dir': { type: 'string' as const } };
    parsed = parseArgs({ args, allowPositionals: true, options }) as typeof parsed;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. To specify')[0] : String(error));
  }
  const { values, positionals: given } = parsed;
  const [least, most] = command.takes;
  if (given.length < least) throw new UsageError('Something is missing.');
  if (given.length > most) throw new UsageError(`'${given[most]}' is one argument too many.`);
  const settings = { ...(values.uri !== undefined && { MONGODB_URI: String(values.uri) }) };
  const folder = values['data-dir'] === undefined ? {} : { DATA_DIR: String(values['data-dir']) };
  return { config: readConfig({ ...process.env, ...settings, ...folder }), given, options: values };
}

/** The folder of the embedded store inside a data folder. */
export const storeFolder = (dataFolder: string): string => join(dataFolder, 'store');

/** Beside the embedded store while an import fills it; gets the store's name once it is whole. */
export const IMPORTING = 'store.importing';
