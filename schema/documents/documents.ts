import { GraphQLError } from 'graphql';
import { OperationError } from '../../src/errors.ts';
import type { MaybePromise } from '../../src/lib/maybe-promise.ts';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';
import type { Executor } from '../execute.ts';
import { toGraphqlError } from '../subscriptions/parse-subscription.ts';
import { createAutomaticDocuments, isHashOf } from './automatic-documents.ts';
import { type DocumentRequest, documentIdOf } from './document-request.ts';
import { isRefused, type Prepared, type Refused } from './prepare.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** The documents of requests over every transport. */
export interface Documents {
  /**
   * Prepares the document that a request sends or names by its id.
   * @returns null for a request that does neither
   */
  prepare(request: DocumentRequest): MaybePromise<Prepared | Refused> | null;
}

export interface DocumentsOptions {
  executor: Pick<Executor, 'prepareInTurn'>;
  trusted: TrustedDocuments;
}

/**
 * Finds documents by their ids: those of the manifests of trusted documents, and those that clients have sent together
 * with their hash (automatic persisted queries). Both are executed with the limits of other documents.
 */
export function createDocuments({ executor, trusted }: DocumentsOptions): Documents {
  const automatic = createAutomaticDocuments();

  function prepareText(text: string, operationName: string | null): MaybePromise<Prepared | Refused> {
    return trusted.accepts(text) ? executor.prepareInTurn(text, operationName) : { errors: [notTrusted()] };
  }

  async function prepareAndKeep(id: string, text: string, operationName: string | null): Promise<Prepared | Refused> {
    const entry = await prepareText(text, operationName);
    if (!isRefused(entry)) automatic.set(id, text);
    return entry;
  }

  return {
    prepare(request) {
      const { query = null, operationName = null } = request;
      if (query !== null && typeof query !== 'string') return null;
      let id: string | null;
      try {
        id = documentIdOf(request);
      } catch (error) {
        return { errors: [refusal(error)] };
      }
      if (id === null) return query === null ? null : prepareText(query, operationName);
      const known = trusted.get(id) ?? automatic.get(id);
      if (!query) return known === undefined ? miss() : executor.prepareInTurn(known, operationName);
      if (known === query || query.length > OPERATION_LIMITS.source) return prepareText(query, operationName);
      if (known !== undefined || !isHashOf(id, query)) return { errors: [refusal(MISMATCH)] };
      return prepareAndKeep(id, query, operationName);
    },
  };
}

/** Codes of the errors of documents, beside those of the catalogue. */
export const DOCUMENT_CODES: ReadonlySet<string> = new Set(['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_ONLY']);

/** Not counted as invalid: the first request of each automatic persisted query is one. */
function miss(): Refused {
  return { errors: [coded('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 400)], isMiss: true };
}

function notTrusted(): GraphQLError {
  return coded('This server executes trusted documents only.', 'PERSISTED_QUERY_ONLY', 403);
}

const MISMATCH = new OperationError('BAD_REQUEST', {
  message: 'The id of the document is not the SHA-256 of its text, as 64 lower-case hexadecimal digits.',
});

function refusal(error: unknown): GraphQLError {
  const { message, extensions } = toGraphqlError(error);
  return coded(message, String(extensions.code), 400);
}

/** @param status for clients of `application/graphql-response+json`; others get 200, as for every invalid document */
function coded(message: string, code: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { spec: true, status } } });
}
