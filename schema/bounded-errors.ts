import { GraphQLError } from 'graphql';
import type { Excess } from '../src/limits/document-limits.ts';
import { ANSWER_LIMITS, limitExceeded } from '../src/limits/limits.ts';

/** The error of a request or response that exceeds a limit. */
export function tooLarge({ limit, actual }: Excess): GraphQLError {
  return new GraphQLError(limitExceeded(limit, actual), {
    extensions: { code: 'TOO_LARGE', limit, http: { status: 413 } },
  });
}

/** Truncates a list of errors to the limit of a response, and each message to its maximum length. */
export function boundErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const isWithin = errors.length <= ANSWER_LIMITS.errors && errors.every(isShort);
  return isWithin
    ? errors
    : errors.slice(0, ANSWER_LIMITS.errors).map((error) => (isShort(error) ? error : shorten(error)));
}

function isShort({ message }: GraphQLError): boolean {
  return message.length <= ANSWER_LIMITS.errorMessage;
}

function shorten(error: GraphQLError): GraphQLError {
  return withMessage(error, `${error.message.slice(0, ANSWER_LIMITS.errorMessage - 1)}…`);
}

export function withMessage(
  { nodes, source, positions, path, extensions }: GraphQLError,
  message: string,
): GraphQLError {
  const place = { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
  return new GraphQLError(message, { ...place, extensions });
}
