import { Timestamp } from 'bson';
import { CommandError, failedToParse, isDocument, typeOf } from '../lib/index.ts';
import type { Command } from './command.ts';

const LEVELS = ['local', 'majority', 'linearizable', 'available', 'snapshot'] as const;
export type ReadConcernLevel = (typeof LEVELS)[number];

export interface ReadConcern {
  /** The level sent by the client; the default is `local`. */
  level: ReadConcernLevel | undefined;
  /** The read must include all changes up to this time. */
  afterClusterTime: Timestamp | undefined;
  /** The read returns the data as of this time. */
  atClusterTime: Timestamp | undefined;
}

const OPTIONS: ReadonlySet<string> = new Set(['level', 'afterClusterTime', 'atClusterTime', 'provenance']);
const MAY_WAIT: ReadonlySet<string | undefined> = new Set([undefined, 'local', 'majority', 'snapshot']);
const IN_TRANSACTIONS = MAY_WAIT;
/** The only level of commands that declare none, as in MongoDB. */
const DEFAULT_LEVELS: readonly ReadConcernLevel[] = ['local'];

const invalid = (why: string): CommandError => new CommandError(72, why);

/** Parses the `readConcern` of a command. @throws CommandError 9, 14 or 72, as MongoDB does */
export function parseReadConcern(value: unknown): ReadConcern {
  if (value === undefined) return { level: undefined, afterClusterTime: undefined, atClusterTime: undefined };
  if (!isDocument(value)) throw failedToParse('readConcern field should be an object');
  for (const name of Object.keys(value)) {
    if (!OPTIONS.has(name)) throw invalid(`Unrecognized option in readConcern: ${name}`);
  }
  const level = parseLevel(value.level);
  const afterClusterTime = parseTime('afterClusterTime', value.afterClusterTime);
  const atClusterTime = parseTime('atClusterTime', value.atClusterTime);
  if (afterClusterTime && !MAY_WAIT.has(level)) {
    throw invalid('afterClusterTime field can be set only if level is equal to majority, local, or snapshot');
  }
  if (atClusterTime && level !== 'snapshot') {
    throw invalid('atClusterTime field can be set only if level is equal to snapshot');
  }
  if (afterClusterTime && atClusterTime) {
    throw invalid('Specifying a timestamp for readConcern snapshot in a causally consistent session is not allowed.');
  }
  return { level, afterClusterTime, atClusterTime };
}

function parseLevel(value: unknown): ReadConcernLevel | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') {
    throw new CommandError(14, `"level" had the wrong type. Expected string, found ${typeOf(value)}`);
  }
  const level = LEVELS.find((known) => known === value);
  if (level) return level;
  throw failedToParse(
    "readConcern.level must be either 'local', 'majority', 'linearizable', 'available', or 'snapshot'",
  );
}

function parseTime(name: string, value: unknown): Timestamp | undefined {
  if (value === undefined) return undefined;
  if (!(value instanceof Timestamp)) {
    throw new CommandError(14, `"${name}" had the wrong type. Expected timestamp, found ${typeOf(value)}`);
  }
  if (value.isZero()) throw invalid(`${name} cannot be a null timestamp`);
  return value;
}

/** @throws CommandError 72 if the command does not support the level */
export function assertLevel(
  name: string,
  { readConcernLevels = DEFAULT_LEVELS }: Command,
  { level }: ReadConcern,
): void {
  if (level && !readConcernLevels.includes(level)) throw unsupported(name, level);
}

/** Asserts that a level is valid in the first command of a transaction. @throws CommandError 72 */
export function assertTransactionLevel(name: string, command: Command, { level }: ReadConcern): void {
  if (!IN_TRANSACTIONS.has(level)) {
    throw invalid(
      "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction",
    );
  }
  if (command.isDefinition && level && level !== 'local') throw unsupported(name, level);
}

const unsupported = (name: string, level: string): CommandError =>
  invalid(`Command ${name} does not support { readConcern: { level: "${level}" } }`);
