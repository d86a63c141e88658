import { GraphQLError } from 'graphql';
import type { Explain } from '../src/database-errors.ts';
import { ERRORS, OperationError } from '../src/errors.ts';
import { RateLimitError } from '../src/limits/rates/rate-limits.ts';

export interface Presentation {
  /** Called with each error that is masked; returns the id that the response contains instead. */
  onMaskedError: (error: Error) => string;
  /** Called with each unexpected error; an error that it recognizes as temporary is not masked. */
  explain: Explain;
}

/** Expected failures keep their message and get a code. All other errors are logged and replaced by an id. */
export function presentError(error: GraphQLError, { onMaskedError, explain }: Presentation): GraphQLError {
  const original = error.originalError;
  if (!original) return error;
  const options = { ...placeOf(error), path: error.path ?? null };
  if (original instanceof OperationError) {
    const { errorName, detail } = original;
    return new GraphQLError(original.message, {
      ...options,
      originalError: original,
      extensions: {
        code: errorName,
        ...(detail.length > 0 && { detail }),
        ...(original instanceof RateLimitError && { retryAfter: original.quota.resetSeconds }),
      },
    });
  }
  if (original instanceof GraphQLError) return error;
  const unavailable = explain(original);
  if (unavailable) {
    return new GraphQLError(unavailable.message, { ...options, extensions: { code: 'UNAVAILABLE' } });
  }
  return new GraphQLError(ERRORS.INTERNAL.message, {
    ...options,
    extensions: { code: 'INTERNAL', errorId: onMaskedError(original) },
  });
}

function placeOf(error: GraphQLError) {
  return { nodes: error.nodes ?? null, positions: error.positions ?? null, source: error.source ?? null };
}
