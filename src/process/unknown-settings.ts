import { type Config, ConfigError, configSchema } from '../config.ts';

/** An environment variable that is not a setting, and the setting that was probably meant. */
export interface UnknownSetting {
  name: string;
  meant: string;
  /** The name is so similar that it cannot belong to another program. */
  isCertain: boolean;
}

/** Settings that decide where data is stored. When one is misspelled, production refuses to start. */
const STORAGE: ReadonlySet<string> = new Set([
  'MONGODB_URI',
  'DATA_DIR',
  'BUCKET_NAME',
  'BUCKET_ENDPOINT',
  'BUCKET_REGION',
]);

/** Names of the same setting in other programs. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['MONGO_URL', 'MONGODB_URI'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['MONGODB', 'MONGODB_URI'],
  ['MONGODB_URI_STRING', 'MONGODB_URI'],
]);

/** Names of the same setting that may also belong to another program on the machine. */
const LIKELY_ALIASES: ReadonlyMap<string, string> = new Map([['S3_BUCKET', 'BUCKET_NAME']]);

/** A value that only MONGODB_URI accepts. */
const MONGODB_VALUE = /^\s*mongodb(\+srv)?:\/\//i;

/** Minimum length of a setting for the comparison of similar names: shorter ones resemble too many others. */
const MIN_LENGTH = 6;
/** Names of this length or longer may differ in two letters. */
const LONG = 9;

/**
 * Finds variables that look like a misspelled setting of the gateway: MONGODB_URL, SERVERKEY, CORS_ORIGIN, and any
 * variable with a MongoDB address. Suggests only settings that are not set, since variables of other programs are more
 * likely when the setting itself exists.
 */
export function unknownSettings(env: Record<string, string | undefined>): UnknownSetting[] {
  const known = Object.keys(configSchema.shape);
  const unset = known.filter((name) => !env[name]);
  return Object.keys(env)
    .filter((name) => env[name] && !known.includes(name))
    .flatMap((name) => {
      const isMongoDb = MONGODB_VALUE.test(env[name]!) && unset.includes('MONGODB_URI');
      const found = isMongoDb ? { meant: 'MONGODB_URI', isCertain: true } : nearest(name, unset);
      return found ? [{ name, ...found }] : [];
    });
}

/**
 * Describes unknown settings, one line each.
 * @throws {ConfigError} in production, when a misspelled setting decides where data is stored and is not set at all
 */
export function reportUnknownSettings(
  env: Record<string, string | undefined>,
  { NODE_ENV }: Pick<Config, 'NODE_ENV'>,
): string[] {
  const found = unknownSettings(env);
  const lines = found.map(({ name, meant }) => `${name} is not a setting: did you mean ${meant}?`);
  const refused = found.filter(({ meant, isCertain }) => isCertain && STORAGE.has(meant) && env[meant] === undefined);
  if (NODE_ENV === 'production' && refused.length > 0) {
    const meant = [...new Set(refused.map((one) => one.meant))].join(', ');
    throw new ConfigError(
      `Settings that decide where data is stored are misspelled:\n${lines.map((line) => `  ${line}`).join('\n')}\n` +
        `Rename them. If they belong to another program, set ${meant}, or leave it empty to keep the default.`,
    );
  }
  return lines;
}

function nearest(name: string, settings: readonly string[]): Omit<UnknownSetting, 'name'> | null {
  for (const [aliases, isCertain] of [
    [ALIASES, true],
    [LIKELY_ALIASES, false],
  ] as const) {
    const meant = aliases.get(name.toUpperCase());
    if (meant) return settings.includes(meant) ? { meant, isCertain } : null;
  }
  const plain = plainOf(name);
  let best: { meant: string; far: number } | null = null;
  for (const setting of settings) {
    const other = plainOf(setting);
    if (plain !== other && (other.length < MIN_LENGTH || plain[0] !== other[0])) continue;
    const far = distance(plain, other);
    if (far <= (other.length >= LONG ? 2 : 1) && (best === null || far < best.far)) best = { meant: setting, far };
  }
  return best && { meant: best.meant, isCertain: best.far <= 1 };
}

const plainOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Levenshtein distance: how many letters are inserted, deleted or replaced. */
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
