import { type Config, ConfigError } from '../config.ts';

const SECRETS = ['API_KEY', 'SERVER_KEY', 'TOKEN_SECRET'] as const;

const SECURE_MODE_HELP = `SECURE_MODE: set it to true or false; production has no default.
    true   Every session requires an authToken, which your own server mints with SERVER_KEY after it has authenticated the user.
    false  Anyone who knows API_KEY, which ships with every client application, can sign in as any user who holds no role in the network.`;

/**
 * Requires the settings on which the safety of user data depends, which have no default in production.
 * @throws {ConfigError} naming every setting that is missing and the meaning of each value
 */
export function requireProductionSettings(config: Config): void {
  if (config.NODE_ENV !== 'production') return;
  const secrets = SECRETS.filter((name) => config[name] === undefined);
  const missing = [
    ...(secrets.length > 0 ? [`${secrets.join(', ')}: set secrets, for example from: openssl rand -hex 32`] : []),
    ...(config.SECURE_MODE === undefined ? [SECURE_MODE_HELP] : []),
  ];
  if (missing.length === 0) return;
  throw new ConfigError(
    `Settings that production requires are missing:\n${missing.map((line) => `  ${line}`).join('\n')}`,
  );
}

/**
 * Describes accepted secrets whose rotation has not been finished, one line each: anyone who learns such a secret signs valid
 * tokens.
 */
export function outdatedSecrets({ NODE_ENV, TOKEN_SECRET_ACCEPTED }: Config, now: Date): string[] {
  const hasEnded = TOKEN_SECRET_ACCEPTED.some(({ until }) => until !== null && until <= now);
  const isEndless = TOKEN_SECRET_ACCEPTED.some(({ until }) => until === null);
  return [
    ...(hasEnded ? ['TOKEN_SECRET_ACCEPTED contains a secret whose date has passed: remove it'] : []),
    ...(isEndless && NODE_ENV === 'production'
      ? ['TOKEN_SECRET_ACCEPTED contains a secret without a date: add one, or remove it when the rotation is complete']
      : []),
  ];
}
