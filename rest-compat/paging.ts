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
const skip = z.number().int().min(0).max(MAX_SKIP).optional();

/** Every form that published clients send (legacy-facts §5). */
const tokenSchema = z.union([
  z.object({ after: cursor, limit, first: limit }),
  z.object({ before: cursor, limit, last: limit }),
  z.object({ skip, limit, first: limit, last: limit }),
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

/** The `paging` object of an answer; a side without a page has no token. */
export function toPaging(
  info: PageInfo,
  size: number,
  previousKeys: readonly ('previous' | 'prev')[] = ['previous'],
): Record<string, string> {
  const paging: Record<string, string> = {};
  if (info.hasNextPage && info.endCursor) paging.next = encodeToken({ after: info.endCursor, limit: size });
  if (info.hasPreviousPage && info.startCursor) {
    for (const key of previousKeys) paging[key] = encodeToken({ before: info.startCursor, limit: size });
  }
  return paging;
}

function encodeToken(token: object): string {
  return Buffer.from(JSON.stringify(token), 'utf8').toString('base64');
}
