import { decodePageToken, encodePageToken, type ListParameters } from './page-token.ts';

/** Arguments of a Relay connection, plus the `skip` of cursors that clients make themselves. */
export interface ConnectionVariables {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  skip?: number | null;
}

/**
 * Turns `limit` and `token` into connection arguments. The size that a token carries wins over a `limit` beside it.
 * @throws {OperationError} BAD_REQUEST for a token that is none
 */
export function connectionVariables(
  options: { limit?: number | undefined; token?: string | undefined } | undefined,
  defaultLimit = 10,
): ConnectionVariables {
  if (options?.token === undefined) return { first: options?.limit ?? defaultLimit };
  const token = decodePageToken(options.token);
  const size = token.size ?? options.limit ?? defaultLimit;
  if (token.before !== undefined) return { last: size, before: token.before };
  return token.after === undefined ? { first: size, skip: token.skip ?? 0 } : { first: size, after: token.after };
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
  /** What shaped the list: the tokens carry it. */
  parameters: ListParameters;
}

/** The `paging` object of an answer; a side without a page has no token. */
export function toPaging(info: PageInfo, { size, previousKeys, parameters }: PagingForm): Record<string, string> {
  const paging: Record<string, string> = {};
  if (info.hasNextPage && info.endCursor) {
    paging.next = encodePageToken({ side: 'after', cursor: info.endCursor, size, parameters });
  }
  if (info.hasPreviousPage && info.startCursor) {
    const previous = encodePageToken({ side: 'before', cursor: info.startCursor, size, parameters });
    for (const key of previousKeys) paging[key] = previous;
  }
  return paging;
}
