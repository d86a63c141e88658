import type { TypedDocumentString } from '../../generated/operations.ts';
import { freshSession } from '../session/refresh.ts';
import { expireSession } from '../session/session-store.ts';
import { ApiError } from './api-error.ts';
import { type Credentials, post } from './post.ts';

/**
 * Executes an operation with the session of the signed-in user.
 *
 * @param given credentials that replace those of the session
 * @throws {ApiError} for the first error of the answer, and for a mutation that returns `OperationError`
 */
export async function execute<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  given?: Credentials,
): Promise<Result> {
  const credentials = given ?? (await freshSession()) ?? {};
  const { data, errors } = await post<Result>({ query: String(document), variables }, credentials);
  const error = errors?.[0];
  if (error) {
    const code = error.extensions?.code ?? 'UNKNOWN';
    if (code === 'UNAUTHORIZED' && credentials.accessToken !== undefined) expireSession(credentials.accessToken);
    throw new ApiError(code, error.message);
  }
  if (!data) throw new ApiError('UNKNOWN', 'The server returned no data.');
  for (const result of Object.values(data))
    if (isOperationError(result)) throw new ApiError(result.code, result.message);
  return data;
}

function isOperationError(value: unknown): value is { code: string; message: string } {
  return typeof value === 'object' && value !== null && '__typename' in value && value.__typename === 'OperationError';
}
