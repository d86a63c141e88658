import { CombinedGraphQLErrors, ServerError } from '@apollo/client';

/** Errors of a gateway that works but cannot answer now. */
const CODES = new Set(['UNAVAILABLE', 'RATE_LIMITED']);

/** Whether a later request may succeed: the gateway was not reached, or cannot answer now. */
export function isTransient(error: unknown): boolean {
  if (CombinedGraphQLErrors.is(error))
    return error.errors.every(({ extensions }) => CODES.has(String(extensions?.code)));
  if (ServerError.is(error)) return error.statusCode === 429 || error.statusCode >= 500;
  return true;
}
