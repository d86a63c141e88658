import { z } from 'zod';
import { OperationError } from '../src/errors.ts';
import { MAX_SKIP } from '../src/store/page.ts';

/** Arguments of a Relay connection, plus the `skip` of cursors that clients make themselves. */
export interface ConnectionVariables {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  skip?: number | null;
}

const limit = z.number().int().min(1).max(100).optional();
const cursor = z.string().min(1).max(900);
/** What our own tokens carry besides the position; see {@link keptInToken}. */
const keep = z.record(z.string().max(20), z.string().max(50)).optional();
const skip = z.number().int().min(0).max(MAX_SKIP).optional();

/** Every form that published clients send (legacy-facts §5). */
const tokenSchema = z.union([
  z.object({ after: cursor, limit, first: limit, keep }),
  z.object({ before: cursor, limit, last: limit, keep }),
  z.strictObject({ skip, limit, first: limit, last: limit, keep }),
]);

/**
 * Turns `limit` and `token` into connection arguments. A token is base64 of a JSON object, ours or the client's own.
 * @throws {OperationError} BAD_REQUEST for a token that is none
 */
export function connectionVariables(
  options: { limit?: number | undefined; token?: string | undefined } | undefined,
  defaultLimit = 10,
): ConnectionVariables {
  const size = options?.limit ?? defaultLimit;
  if (options?.token === undefined) return { first: size };
  const token = decodeToken(options.token);
  if ('after' in token) return { first: token.limit ?? token.first ?? size, after: token.after };
  if ('before' in token) return { last: token.limit ?? token.last ?? size, before: token.before };
  return { first: token.limit ?? token.first ?? token.last ?? size, skip: token.skip ?? 0 };
}

/** What a token of ours carries besides the position; nothing for one that a client made. */
export function keptInToken(token: string | undefined): { readonly [name: string]: string } {
  return (token !== undefined && decodeToken(token).keep) || {};
}

function decodeToken(token: string): z.infer<typeof tokenSchema> {
  try {
    const parsed = tokenSchema.safeParse(JSON.parse(Buffer.from(token, 'base64').toString('utf8')));
    if (parsed.success) return parsed.data;
  } catch {
    // Not JSON: refused below like any other token that is none.
  }
  throw new OperationError('BAD_REQUEST', { message: 'The paging token is not valid.', path: ['token'] });
}

export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor?: string | null;
  endCursor?: string | null;
}

export interface PagingForm {
  size: number;
  /** How the interface spells the way back. */
  previousKeys: readonly ('previous' | 'prev')[];
  /** What the tokens carry besides the position. */
  keep?: { readonly [name: string]: string } | undefined;
}

/** The `paging` object of an answer; a side without a page has no token. */
export function toPaging(info: PageInfo, { size, previousKeys, keep }: PagingForm): Record<string, string> {
  const paging: Record<string, string> = {};
  if (info.hasNextPage && info.endCursor) paging.next = encodeToken({ after: info.endCursor, limit: size, keep });
  if (info.hasPreviousPage && info.startCursor) {
    for (const key of previousKeys) paging[key] = encodeToken({ before: info.startCursor, limit: size, keep });
  }
  return paging;
}

function encodeToken(token: object): string {
  return Buffer.from(JSON.stringify(token), 'utf8').toString('base64');
}
