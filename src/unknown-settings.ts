import { type Config, ConfigError, configSchema } from './config.ts';

/** A variable that no setting has the name of, and the setting that it was probably meant to be. */
export interface UnknownSetting {
  name: string;
  meant: string;
}

/** Misspelled, they would send data elsewhere without a word: production refuses to start. */
const STORAGE: ReadonlySet<string> = new Set([
  'MONGODB_URI',
  'DATA_DIR',
  'NETWORK_ID',
  'BUCKET_NAME',
  'BUCKET_ENDPOINT',
  'BUCKET_REGION',
]);

/** Names that other programs give the same setting. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['MONGO_URL', 'MONGODB_URI'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['MONGODB', 'MONGODB_URI'],
  ['MONGODB_URI_STRING', 'MONGODB_URI'],
  ['S3_BUCKET', 'BUCKET_NAME'],
]);

/** Shorter names are near to too many others. */
const MIN_LENGTH = 6;
/** From this length on two letters may differ. */
const LONG = 9;

/**
 * Variables that look like a setting of the gateway but are none: MONGODB_URL, SERVERKEY, CORS_ORIGIN. Only settings
 * that are not set are suggested, so that other programs' variables are left alone.
 */
export function unknownSettings(env: Record<string, string | undefined>): UnknownSetting[] {
  const known = Object.keys(configSchema.shape);
  const unset = known.filter((name) => !env[name]);
  return Object.keys(env)
    .filter((name) => env[name] && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, unset);
      return meant ? [{ name, meant }] : [];
    });
}

/**
 * What to say of such variables at start.
 * @throws {ConfigError} in production, when one would change where data goes
 */
export function reportUnknownSettings(
  env: Record<string, string | undefined>,
  { NODE_ENV }: Pick<Config, 'NODE_ENV'>,
): string[] {
  const found = unknownSettings(env);
  const lines = found.map(({ name, meant }) => `${name} is no setting: did you mean ${meant}?`);
  if (NODE_ENV === 'production' && found.some(({ meant }) => STORAGE.has(meant))) {
    throw new ConfigError(
      `Settings are misspelled that say where data is stored:\n${lines.map((line) => `  ${line}`).join('\n')}\n` +
        'Rename them, or unset what belongs to another program.',
    );
  }
  return lines;
}

function nearest(name: string, settings: readonly string[]): string | null {
  const alias = ALIASES.get(name.toUpperCase());
  if (alias) return settings.includes(alias) ? alias : null;
  const plain = plainOf(name);
  for (const setting of settings) {
    const other = plainOf(setting);
    if (plain === other) return setting;
    if (other.length < MIN_LENGTH || plain[0] !== other[0]) continue;
    if (distance(plain, other) <= (other.length >= LONG ? 2 : 1)) return setting;
  }
  return null;
}

const plainOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** How many letters were added, left out or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = previous[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[other.length]!;
}
