import { basename, join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { importFolderOf } from '../embedded/maintenance/index.ts';

/** One command of `npm run store`. */
export interface Command {
  /** Name and arguments, as the help shows them. */
  usage: string;
  /** What the command does and what its options mean; the first line is its summary. */
  help: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** The number of positional arguments. */
  positionalCount: readonly [least: number, most: number];
  run(call: Call): Promise<void>;
}

export interface Call {
  config: Config;
  /** The positional arguments. */
  positionals: string[];
  /** The options that were given, by name: the command's own and the common ones. */
  options: Record<string, string | boolean | undefined>;
}

/** An error that the user can act on; only its message is printed. Exit code 1. */
export class CliError extends Error {}

/** Invalid arguments; the usage is printed too. Exit code 2. */
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
  const { values, positionals } = parsed;
  const [least, most] = command.positionalCount;
  if (positionals.length < least) throw new UsageError('An argument is missing.');
  if (positionals.length > most) throw new UsageError(`'${positionals[most]}' is one argument too many.`);
  const settings = { ...(values.uri !== undefined && { MONGODB_URI: String(values.uri) }) };
  const folder = values['data-dir'] === undefined ? {} : { DATA_DIR: String(values['data-dir']) };
  return { config: readConfig({ ...process.env, ...settings, ...folder }), positionals, options: values };
}

/** The folder of the embedded store inside a data folder. */
export const storeFolder = (dataFolder: string): string => join(dataFolder, 'store');

/** Folder name of a store that an import is filling; renamed to the store's name once the import is complete. */
export const IMPORTING = basename(importFolderOf('store'));
