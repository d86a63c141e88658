import { OperationError } from '../../src/errors.ts';

/** How a request names its document: by its text, its id, or both. */
export interface DocumentRequest {
  query?: unknown;
  operationName?: string | null | undefined;
  /** May contain `persistedQuery`, as Apollo Client and urql send it. */
  extensions?: unknown;
  /** GraphQL over HTTP, appendix A. */
  documentId?: unknown;
  /** As Relay's documentation names it. */
  doc_id?: unknown;
  id?: unknown;
}

/** Longest id of a document. */
const MAX_ID = 200;
const PREFIX = 'sha256:';

/**
 * The id of the requested document without the prefix `sha256:`; null if the request has none. Beside a text, `doc_id` and
 * `id` mean nothing: clients use these names for ids of their own.
 * @throws {OperationError} BAD_REQUEST for an id in another form
 */
export function documentIdOf({ query, documentId, doc_id, id, extensions }: DocumentRequest): string | null {
  const given = documentId ?? (query ? null : (doc_id ?? id)) ?? persistedQueryOf(extensions);
  if (given === null || given === undefined) return null;
  if (typeof given !== 'string' || given === '' || given.length > MAX_ID)
    throw malformed(`The id of a document is a text of 1 to ${MAX_ID} characters.`);
  return withoutPrefix(given);
}

export function withoutPrefix(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

function persistedQueryOf(extensions: unknown): unknown {
  const persisted = isObject(extensions) ? extensions.persistedQuery : null;
  if (persisted === null || persisted === undefined) return null;
  if (!isObject(persisted) || persisted.version !== 1 || typeof persisted.sha256Hash !== 'string')
    throw malformed('extensions.persistedQuery must be { version: 1, sha256Hash: "…" }.');
  return persisted.sha256Hash;
}

function malformed(message: string): OperationError {
  return new OperationError('BAD_REQUEST', { message });
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
