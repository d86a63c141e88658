import type { Config } from '../../config.ts';

/** The period of every limit. */
export const RATE_SECONDS = 60;

/** Settings that hold the limit of each class of operation. */
const SETTINGS = {
  read: 'RATE_LIMIT_READS',
  search: 'RATE_LIMIT_SEARCHES',
  write: 'RATE_LIMIT_WRITES',
  report: 'RATE_LIMIT_REPORTS',
  upload: 'RATE_LIMIT_UPLOADS',
  signIn: 'RATE_LIMIT_SIGN_INS',
  mint: 'RATE_LIMIT_AUTH_TOKENS',
  apiKey: 'RATE_LIMIT_API_KEY',
  download: 'RATE_LIMIT_DOWNLOADS',
  export: 'RATE_LIMIT_EXPORTS',
  invalid: 'RATE_LIMIT_INVALID',
  credential: 'RATE_LIMIT_CREDENTIALS',
} as const satisfies Record<string, keyof Config>;

/** Classes of operations, each with a limit of its own. */
export type RateClass = keyof typeof SETTINGS;

export const RATE_CLASSES = Object.keys(SETTINGS) as readonly RateClass[];

export type RateSettings = Pick<Config, 'RATE_LIMITS' | (typeof SETTINGS)[RateClass]>;

/** Operations of a class per minute and client; 0: unlimited. */
export function limitOf(config: RateSettings, name: RateClass): number {
  return config.RATE_LIMITS === 'off' ? 0 : config[SETTINGS[name]];
}

/** Root fields that are not in the class of their kind: `write` for mutations, `read` for queries and subscriptions. */
export const CLASS_OF_FIELD: { readonly [field: string]: RateClass | undefined } = {
  createSession: 'signIn',
  createVisitorSession: 'signIn',
  consumeLoginLink: 'signIn',
  exchangeLoginCode: 'signIn',
  exportUser: 'export',
  refreshSession: 'signIn',
  mintAuthToken: 'mint',
  flagComment: 'report',
  flagMessage: 'report',
  flagPost: 'report',
  flagStory: 'report',
  flagUser: 'report',
  reportRoom: 'report',
  // Reads of indexes whose length depends on the words, and a request to another server.
  search: 'search',
  linkPreview: 'search',
};

export function classOfField(kind: 'query' | 'mutation' | 'subscription', field: string): RateClass {
  return CLASS_OF_FIELD[field] ?? (kind === 'mutation' ? 'write' : 'read');
}

/** Classes of operations that need no session, or that replace it: they count for the address or a key, whether or not a user is signed in. */
export const WITHOUT_USER: ReadonlySet<RateClass> = new Set(['signIn', 'mint', 'apiKey', 'credential']);
