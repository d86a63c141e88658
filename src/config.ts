import { z } from 'zod';

const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');

/** A secret that verifies tokens and signs none. */
export interface AcceptedSecret {
  secret: string;
  /** null: without an end. */
  until: Date | null;
}

const ACCEPTED_SECRET = /^(.{32,500}?)(?:@(\d{4}-\d{2}-\d{2}))?$/;

/** @returns null if a secret has a wrong length or an invalid date */
function parseAcceptedSecrets(text: string): AcceptedSecret[] | null {
  const secrets = text.split(',').filter((one) => one.trim() !== '');
  const parsed = secrets.map((one): AcceptedSecret | null => {
    const [, secret, date] = ACCEPTED_SECRET.exec(one.trim()) ?? [];
    if (secret === undefined || (date !== undefined && !z.iso.date().safeParse(date).success)) return null;
    return { secret, until: date === undefined ? null : new Date(`${date}T24:00:00Z`) };
  });
  return parsed.some((one) => one === null) ? null : (parsed as AcceptedSecret[]);
}

function isProtectedAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
}

const perMinute = (limit: number, what: string) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .default(limit)
    .describe(`${what} per minute and user, without a session per client address; 0: unlimited.`);

/** Every setting of the gateway, read from environment variables of the same names. */
export const configSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(4000).describe('Port to listen on; 0 picks a free one.'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PUBLIC_URL: z.url().optional().describe('Base URL under which clients reach the gateway; used in file URLs.'),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .optional()
    .describe('MongoDB replica set or sharded cluster. Unset: the embedded store in DATA_DIR.'),
  DATABASE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(120_000)
    .default(10_000)
    .describe('Milliseconds that a request waits for the database before it fails with 503.'),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(64)
    .describe('Maximum connections of each gateway process to the database.'),
  CACHE_MB: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_536)
    .optional()
    .describe(
      'Mebibytes of records and lists that each gateway process keeps in memory; 0: none. Unset: 64 with MONGODB_URI; 20 with the embedded store, which needs memory, too.',
    ),
  EMBEDDED_STORE_URI: z
    .string()
    .optional()
    .describe('Set by the primary process for its workers: the address of its embedded store.'),
  ANSWER_CACHE_MB: z.coerce
    .number()
    .int()
    .min(0)
    .max(4_096)
    .default(6)
    .describe(
      'Maximum memory of each gateway process for answers to repeated queries, in mebibytes; they are returned only while unchanged. 0: none.',
    ),
  RSS_TARGET_MB: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_048_576)
    .default(240)
    .describe(
      'Resident memory of the process, in mebibytes, up to which pages of the embedded store stay mapped (16 of them always may) and garbage is collected less often. More makes a large store faster, most where page faults are expensive, as on some virtual machines, and saves processor time under load.',
    ),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder of the embedded store, generated keys and files.'),
  FILE_LIMIT_MB: z.coerce
    .number()
    .int()
    .min(1)
    // GraphQL counts the bytes of a file in 31 bits.
    .max(2_047)
    .default(100)
    .describe('Maximum size of an uploaded file, in mebibytes.'),
  BUCKET_NAME: z.string().optional().describe('Bucket for uploaded files. Unset: the folder DATA_DIR/files.'),
  BUCKET_ENDPOINT: z.url().optional().describe('Endpoint of an S3-compatible store. Unset: Amazon S3.'),
  BUCKET_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
  BUCKET_KEY_ID: z.string().optional().describe('Access key of the bucket. Unset: the credentials of the machine.'),
  BUCKET_SECRET: z.string().optional().describe('Secret of that key; keep it on your servers.'),
  BUCKET_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(300_000)
    .default(30_000)
    .describe(
      'Milliseconds that a request to the bucket waits for an answer, or for its next bytes, before it fails with 503.',
    ),
  API_KEY: z.string().min(8).max(200).optional().describe('Names the network; sent as X-API-Key to create a session.'),
  SERVER_KEY: z.string().min(16).max(200).optional().describe('Mints auth tokens for users; keep it on your servers.'),
  TOKEN_SECRET: z.string().min(32).max(500).optional().describe('Signs access tokens; at least 32 characters.'),
  TOKEN_SECRET_ACCEPTED: z
    .string()
    .default('')
    .transform((text, context) => {
      const secrets = parseAcceptedSecrets(text);
      if (secrets) return secrets;
      context.addIssue('each secret needs 32 to 500 characters, and optionally @ and a date such as @2026-12-31');
      return z.NEVER;
    })
    .describe(
      'Further secrets that verify tokens and sign none, comma separated; with @2026-12-31 until the end of that day (UTC).',
    ),
  NETWORK_ID: z
    .string()
    .regex(/^[\w-]{1,50}$/)
    .default('default')
    .describe('Id of the network that API_KEY names.'),
  SECURE_MODE: flag
    .optional()
    .describe(
      'Whether every session requires an authToken minted with SERVER_KEY. Unset: false; production requires a value.',
    ),
  SAMPLE_DATA: z
    .enum(['auto', 'none'])
    .default('auto')
    .describe('auto: fill an empty embedded store with the sample network, except in production.'),
  WORKERS: z.coerce.number().int().min(1).max(64).default(1).describe('Gateway processes, one per core.'),
  TRUST_PROXY: z
    .string()
    .optional()
    .describe('Addresses of reverse proxies whose X-Forwarded-For is believed, comma separated. Unset: none.'),
  FEDERATION: flag
    .default(false)
    .describe('Whether /graphql is a subgraph of Apollo Federation 2, with the fields _service and _entities.'),
  TRUSTED_DOCUMENTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((file) => file.trim())
        .filter((file) => file !== ''),
    )
    .describe(
      'Manifests of GraphQL documents that clients name by their id, comma separated: files of GraphQL Code Generator, the Relay compiler or Apollo.',
    ),
  TRUSTED_DOCUMENTS_ONLY: flag
    .default(false)
    .describe(
      'Whether every GraphQL document is refused that is not in TRUSTED_DOCUMENTS, apart from those of the console.',
    ),
  CORS_ORIGINS: z
    .string()
    .default('')
    .describe(
      'Origins allowed to call from browsers, comma separated; * for any. Unset: none, in development localhost on any port.',
    ),
  SESSION_COOKIES: flag
    .default(false)
    .describe(
      'Whether pages of this gateway and of CORS_ORIGINS can keep sessions in cookies, which scripts cannot read (header X-Session: cookie).',
    ),
  RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Requests per minute and client address (IPv6: one /64); 0: unlimited.'),
  RATE_LIMITS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether the limits RATE_LIMIT_… by class of operation apply; off: only RATE_LIMIT.'),
  RATE_LIMIT_COUNTERS: z
    .enum(['auto', 'database', 'memory'])
    .default('auto')
    .describe(
      'Where the limits RATE_LIMIT_… are counted: in the database, for all processes together, or in the memory of each; auto: in the database with MONGODB_URI or several WORKERS.',
    ),
  RATE_LIMIT_READS: perMinute(1_200, 'Queries and subscriptions'),
  RATE_LIMIT_SEARCHES: perMinute(120, 'Searches and link previews'),
  RATE_LIMIT_WRITES: perMinute(600, 'Mutations, apart from those of the other classes,'),
  RATE_LIMIT_REPORTS: perMinute(60, 'Flags of content and users'),
  RATE_LIMIT_UPLOADS: perMinute(60, 'Uploads'),
  RATE_LIMIT_SIGN_INS: z.coerce
    .number()
    .int()
    .min(0)
    .default(300)
    .describe('New sessions per minute and client address; 0: unlimited.'),
  RATE_LIMIT_AUTH_TOKENS: z.coerce
    .number()
    .int()
    .min(0)
    .default(6_000)
    .describe('Auth tokens per minute, for each client address and each server key; 0: unlimited.'),
  RATE_LIMIT_API_KEY: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('New sessions per minute and API key, from all addresses together; 0: unlimited.'),
  RATE_LIMIT_DOWNLOADS: perMinute(12_000, 'Downloads of files'),
  RATE_LIMIT_EXPORTS: perMinute(6, 'Exports of the data of a person'),
  RATE_LIMIT_CREDENTIALS: z.coerce
    .number()
    .int()
    .min(0)
    .default(100)
    .describe(
      'Invalid tokens, invalid API keys and invalid server keys per minute and client address, each kind apart; 0: unlimited.',
    ),
  RATE_LIMIT_INVALID: perMinute(1_200, 'Invalid GraphQL documents and failed CONNECT packets of MQTT'),
  EVENT_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(365)
    .default(7)
    .describe('Days that events are stored, for webhooks and for subscribers that resume.'),
  ACCESS_TOKEN_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_440)
    .default(0)
    .describe(
      'Minutes after which access tokens expire; clients renew them with the refresh token of their session. 0: access tokens last as long as their session, and there are no refresh tokens.',
    ),
  OIDC_ISSUER: z
    .url()
    .refine(isProtectedAddress, 'must begin with https://, except on localhost')
    .optional()
    .describe('Issuer of an OpenID Connect provider at which users sign in, by /auth/oidc/start. Unset: none.'),
  OIDC_CLIENT_ID: z.string().min(1).max(500).optional().describe('Client id that the provider assigned.'),
  OIDC_CLIENT_SECRET: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Client secret of that id; keep it on your servers. Unset: a public client, with PKCE only.'),
  OIDC_SCOPES: z
    .string()
    .regex(/^(.* )?openid( .*)?$/, 'must contain openid')
    .default('openid profile')
    .describe('Scopes that are requested from the provider, separated by spaces.'),
  OIDC_USER_ID_CLAIM: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Claim that contains the public id of the user. Unset: the id derives from the issuer and the claim sub.',
    ),
  OIDC_LINK_USERS: flag
    .default(false)
    .describe(
      'Whether a sign-in at the provider takes over an existing user of the same id who has not signed in there before.',
    ),
  OIDC_UPDATE_PROFILES: flag
    .default(true)
    .describe('Whether each sign-in at the provider updates the display name and the avatar.'),
  AUDIT_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(365)
    .describe('Days that entries of the audit log are stored, counted from when they are written; 0: for ever.'),
  WEBHOOK_DELIVERY: flag
    .default(true)
    .describe('Whether this gateway delivers webhooks; at least one gateway of a deployment must.'),
  WEBHOOK_LIMIT: z.coerce.number().int().min(1).max(100).default(10).describe('Maximum webhook endpoints per network.'),
  WEBHOOK_ALLOW_PRIVATE: flag
    .default(false)
    .describe('Whether webhooks may be sent to this machine and to private networks: for tests and intranets.'),
  LINK_PREVIEW_ALLOW_PRIVATE: flag
    .default(false)
    .describe(
      'Whether link previews may read pages of this machine and of private networks, on any port: every user and visitor then reads their titles.',
    ),
  SOCKET_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(20_000)
    .describe('Maximum WebSockets per gateway process.'),
  CONNECTIONS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(2_000)
    .describe(
      'Connections of one client address (IPv6: one /64) to a gateway process; proxies of TRUST_PROXY count by client. 0: unlimited.',
    ),
  CONNECTION_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_000_000)
    .optional()
    .describe('Maximum connections per gateway process, WebSockets included. Unset: SOCKET_LIMIT + 5000.'),
  API_DOCS: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe('Whether /docs, /openapi.json and /asyncapi.json are served; auto: except in production.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line written.'),
  ACCESS_LOG: flag
    .default(false)
    .describe(
      'Whether each request is logged with level info: one line, without query string. LOG_LEVEL=debug logs them, too.',
    ),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe(
      'Port that serves the metrics of all processes at /metrics, for Prometheus; 0 picks a free one. Unset: none.',
    ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address to listen on for METRICS_PORT.'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .max(200)
    .optional()
    .describe(
      'Bearer token that /metrics requires. Without METRICS_PORT, the metrics are served on PORT with this token, and not at all without it.',
    ),
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('production refuses generated secrets and hides introspection.'),
});

export type Config = z.infer<typeof configSchema> & { CACHE_MB: number };

/** The record cache can be larger where no embedded store needs memory. */
const CACHE_MB_BESIDE_STORE = 20;
const CACHE_MB_ALONE = 64;

/** A missing or invalid setting. The message names it and says what to do. */
export class ConfigError extends Error {}

/**
 * Validates the environment once, at start.
 * @throws {ConfigError} that names every invalid setting
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const defined = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = configSchema.safeParse(defined);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`);
  }
  const { MONGODB_URI, CACHE_MB = MONGODB_URI === undefined ? CACHE_MB_BESIDE_STORE : CACHE_MB_ALONE } = parsed.data;
  return { ...parsed.data, CACHE_MB };
}
