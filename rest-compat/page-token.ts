import { createHash } from 'node:crypto';
import qs from 'qs';
import { z } from 'zod';
import { OperationError } from '../src/errors.ts';
import { HTTP_LIMITS } from '../src/limits/limits.ts';
import { MAX_SKIP } from '../src/store/page.ts';

/** The longest page token: the bound that the interface gives (interface §8). */
export const MAX_TOKEN = 900;

/** The parameters that shaped a list, as one level of names: `sortBy`, `options.sortBy`. */
export interface ListParameters {
  [name: string]: unknown;
}

/** What a page token says. Tokens that clients make themselves carry no parameters. */
export interface PageToken {
  after?: string | undefined;
  before?: string | undefined;
  skip?: number | undefined;
  size?: number | undefined;
  /** Null: the token was made by a client. */
  parameters: ListParameters | null;
  /** Digests of the parameters that were too long to carry; the client repeats those. */
  digests: { [name: string]: string };
}

const size = z.number().int().min(1).max(100).optional();
const position = z.string().min(1).max(MAX_TOKEN);
const sizes = { limit: size, first: size, last: size };
const tokenSchema = z.union([
  z.object({ after: position, ...sizes }),
  z.object({ before: position, ...sizes }),
  // Clients make these: `skip` is a number, or what was `after` in the token before (legacy-facts §5).
  z.strictObject({ skip: z.union([z.number().int().min(0).max(MAX_SKIP), position]).optional(), ...sizes }),
]);

/**
 * Reads base64 of a JSON object, ours or the client's own.
 * @throws {OperationError} BAD_REQUEST for anything else
 */
export function decodePageToken(token: string): PageToken {
  const parsed = tokenSchema.safeParse(jsonOf(token));
  if (!parsed.success) throw badToken();
  const { limit, first, last, ...place } = parsed.data;
  const own = { size: limit ?? first ?? last };
  if ('before' in place) {
    const { cursor, ...carried } = splitPosition(place.before);
    return { ...own, ...carried, before: cursor };
  }
  const after = 'after' in place ? place.after : place.skip;
  if (typeof after !== 'string') return { ...own, skip: after ?? 0, parameters: null, digests: {} };
  const { cursor, ...carried } = splitPosition(after);
  return { ...own, ...carried, after: cursor };
}

function jsonOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
  } catch {
    throw badToken();
  }
}

export function badToken(): OperationError {
  return new OperationError('BAD_REQUEST', { message: 'The paging token is not valid.', path: ['token'] });
}

export interface PageTokenInput {
  side: 'after' | 'before';
  cursor: string;
  size: number;
  parameters: ListParameters;
}

/**
 * A token of at most {@link MAX_TOKEN} characters. Parameters that do not fit, the longest first, are replaced by their
 * digests.
 */
export function encodePageToken({ side, cursor, size, parameters }: PageTokenInput): string {
  const full = new Map(Object.entries(parameters).map(([name, value]) => [name, textOf(name, value)]));
  const digests: string[] = [];
  for (;;) {
    const query = [...full.values(), ...digests].filter(Boolean).join('&');
    const count = side === 'after' ? { first: size } : { last: size };
    const json = JSON.stringify({ [side]: `${cursor}?${query}`, ...count, limit: size });
    const token = Buffer.from(json, 'utf8').toString('base64');
    const longest = [...full].reduce((a, b) => (b[1].length > a[1].length ? b : a), ['', '']);
    if (token.length <= MAX_TOKEN || longest[1] === '') return token;
    full.delete(longest[0]);
    digests.push(`${DIGEST}${longest[0]}=${digestOf(parameters[longest[0]])}`);
  }
}

/** Marks the digest of a parameter; no parameter's own name begins so. */
const DIGEST = '~';
const MAX_PARAMETERS = 200;

/** In the position itself, since some clients put it, and nothing else, into the token that they make from ours. */
function splitPosition(text: string): { cursor: string } & Pick<PageToken, 'parameters' | 'digests'> {
  const mark = text.indexOf('?');
  if (mark < 0) return { cursor: text, parameters: null, digests: {} };
  const parameters: ListParameters = Object.create(null);
  const digests: PageToken['digests'] = Object.create(null);
  const limits = { parameterLimit: MAX_PARAMETERS, arrayLimit: HTTP_LIMITS.queryArray, plainObjects: true };
  for (const [name, value] of Object.entries(qs.parse(text.slice(mark + 1), { ...limits, depth: 3 }))) {
    if (!name.startsWith(DIGEST)) parameters[name] = value;
    else if (typeof value === 'string') digests[name.slice(DIGEST.length)] = value;
  }
  return { cursor: text.slice(0, mark), parameters, digests };
}

function textOf(name: string, value: unknown): string {
  return qs.stringify(
    { [name]: value },
    { arrayFormat: 'brackets', encodeValuesOnly: true, encoder: escapeDelimiters },
  );
}

/** Only what delimits names and values: a token is base64 anyway. */
function escapeDelimiters(text: unknown): string {
  return String(text).replace(/[%&=?+#[\]]/g, encodeURIComponent);
}

/** Lists are sets: their order does not count. */
export function digestOf(value: unknown): string {
  const known = Array.isArray(value) ? [...new Set(value)].sort() : value;
  return createHash('sha256').update(JSON.stringify(known)).digest('base64url').slice(0, 8);
}
