import { createHash } from 'node:crypto';
import qs from 'qs';
import { z } from 'zod';
import { OperationError } from '../src/errors.ts';
import { HTTP_LIMITS } from '../src/limits/limits.ts';
import { MAX_SKIP } from '../src/store/page.ts';

/** Characters of a page token: `docs/interface.md#paging`. */
export const MAX_TOKEN = 900;

/** The parameters that select a list, on one level: `sortBy`, `options.sortBy`. */
export interface ListParameters {
  [name: string]: unknown;
}

/** A decoded page token. Tokens that clients construct themselves carry no parameters. */
export interface PageToken {
  after?: string | undefined;
  before?: string | undefined;
  skip?: number | undefined;
  size?: number | undefined;
  /** Null: a client constructed the token. */
  parameters: ListParameters | null;
  /** Digests of the parameters that were too long to carry; the client repeats those. */
  digests: { [name: string]: string };
  /** Whether the pages that follow are named `previous` too: see {@link PageTokenInput}. */
  continuesWithPrevious?: boolean;
}

const size = z.number().int().min(1).max(100).optional();
const position = z.string().min(1).max(MAX_TOKEN);
const sizes = { limit: size, first: size, last: size };
const tokenSchema = z.union([
  z.object({ after: position, ...sizes }),
  z.object({ before: position, ...sizes }),
  // Clients construct these: `skip` is a number, or the `after` of an earlier token.
  z.strictObject({ skip: z.union([z.number().int().min(0).max(MAX_SKIP), position]).optional(), ...sizes }),
]);

/**
 * Decodes base64 of a JSON object.
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
  /** Marks a token whose client names the page that follows `previous`: `docs/interface.md#query-comments`. */
  continuesWithPrevious?: boolean;
}

/**
 * A token of at most {@link MAX_TOKEN} characters. Parameters that do not fit, the longest first, are replaced by their
 * digests.
 */
export function encodePageToken({ side, cursor, size, parameters, continuesWithPrevious }: PageTokenInput): string {
  const full = new Map(Object.entries(parameters).map(([name, value]) => [name, textOf(name, value)]));
  const digests: string[] = continuesWithPrevious ? [`${CONTINUES_WITH_PREVIOUS}=1`] : [];
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

/** Prefix of the digest of a parameter; no parameter has a name that starts with it. */
const DIGEST = '~';
/** Name of the mark of {@link PageTokenInput.continuesWithPrevious}; no parameter has it. */
const CONTINUES_WITH_PREVIOUS = '^';
const MAX_PARAMETERS = 200;

/** The parameters are part of the position, because some clients construct tokens from the position alone. */
function splitPosition(
  text: string,
): { cursor: string } & Pick<PageToken, 'parameters' | 'digests' | 'continuesWithPrevious'> {
  const mark = text.indexOf('?');
  if (mark < 0) return { cursor: text, parameters: null, digests: {} };
  const parameters: ListParameters = Object.create(null);
  const digests: PageToken['digests'] = Object.create(null);
  const limits = { parameterLimit: MAX_PARAMETERS, arrayLimit: HTTP_LIMITS.queryArray, plainObjects: true };
  const carried = qs.parse(text.slice(mark + 1), { ...limits, depth: 3 });
  for (const [name, value] of Object.entries(carried)) {
    if (name === CONTINUES_WITH_PREVIOUS) continue;
    if (!name.startsWith(DIGEST)) parameters[name] = value;
    else if (typeof value === 'string') digests[name.slice(DIGEST.length)] = value;
  }
  return {
    cursor: text.slice(0, mark),
    parameters,
    digests,
    continuesWithPrevious: CONTINUES_WITH_PREVIOUS in carried,
  };
}

function textOf(name: string, value: unknown): string {
  return qs.stringify(
    { [name]: value },
    { arrayFormat: 'brackets', encodeValuesOnly: true, encoder: escapeDelimiters },
  );
}

/** Escapes delimiters only, since the token is base64. */
function escapeDelimiters(text: unknown): string {
  return String(text).replace(/[%&=?+#[\]]/g, encodeURIComponent);
}

/** A digest of a parameter; lists are compared as sets. */
export function digestOf(value: unknown): string {
  const known = Array.isArray(value) ? [...new Set(value)].sort() : value;
  return createHash('sha256').update(JSON.stringify(known)).digest('base64url').slice(0, 8);
}
