import type { FastifyError, FastifyRequest } from 'fastify';
import { type UnavailableError, unavailability } from '../database-errors.ts';
import { OperationError } from '../errors.ts';
import { limitExceeded } from '../limits/limits.ts';

/** The error of a body with another content type than `application/json`. */
export const NOT_SENT_AS_JSON = 'A body must be sent as application/json.';

/** Converts a failure of a request, also one of the HTTP layer, to the error that clients see. Logs unexpected ones. */
export function toOperationError(
  error: FastifyError | OperationError | UnavailableError,
  request: FastifyRequest,
): OperationError {
  const known = error instanceof OperationError ? error : (fromDatabase(error) ?? fromHttp(error as FastifyError));
  if (!known) request.log.error({ err: error }, 'unexpected failure');
  return known ?? new OperationError('INTERNAL');
}

function fromDatabase(error: Error): OperationError | null {
  const found = unavailability(error);
  return found && new OperationError('UNAVAILABLE', { message: found.message });
}

/** Malformed JSON, a body that is too large, a rate limit. */
function fromHttp(error: FastifyError): OperationError | null {
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new OperationError('INVALID_PARAMETERS', { detail: [limitExceeded('pathParameter')] });
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new OperationError('TOO_LARGE', { message: limitExceeded('bodyBytes') });
  if (error.statusCode === 413) return new OperationError('TOO_LARGE');
  if (error.statusCode === 429) return new OperationError('RATE_LIMITED');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new OperationError('BAD_REQUEST', { message: 'The request could not be read.' });
  }
  return null;
}
