import { decodePageToken, encodePageToken, type ListParameters } from './page-token.ts';

/** Arguments of a Relay connection, with the `skip` of tokens that clients construct themselves. */
export interface ConnectionVariables {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  skip?: number | null;
}

/**
 * Converts `limit` and `token` to connection arguments. The size in a token takes precedence over `limit`.
 * @throws {OperationError} BAD_REQUEST for an invalid token
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
  /** Keys of the token for the previous page. */
  previousKeys: readonly ('previous' | 'prev')[];
  /** The parameters that select the list; tokens carry them. */
  parameters: ListParameters;
  /** Whether the page that follows is named `previous` too, and the page before is not named. @default false */
  continuesWithPrevious?: boolean;
}

/** The `paging` object of an answer, with a token for each neighbouring page that exists. */
export function toPaging(
  info: PageInfo,
  { size, previousKeys, parameters, continuesWithPrevious = false }: PagingForm,
): Record<string, string> {
  const paging: Record<string, string> = {};
  if (info.hasNextPage && info.endCursor) {
    paging.next = encodePageToken({ side: 'after', cursor: info.endCursor, size, parameters });
  }
  if (continuesWithPrevious) {
    if (info.hasNextPage && info.endCursor) {
      const token = { side: 'after', cursor: info.endCursor, size, parameters, continuesWithPrevious } as const;
      for (const key of previousKeys) paging[key] = encodePageToken(token);
    }
  } else if (info.hasPreviousPage && info.startCursor) {
    const previous = encodePageToken({ side: 'before', cursor: info.startCursor, size, parameters });
    for (const key of previousKeys) paging[key] = previous;
  }
  return paging;
}
