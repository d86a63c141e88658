import type { TypedDocumentString } from '../../generated/operations.ts';
import { currentSession, expireSession } from '../session/session-store.ts';
import { ApiError } from './api-error.ts';

interface Answer<Result> {
  data?: Result | null;
  errors?: Array<{ message: string; extensions?: { code?: string } }>;
}

export interface Credentials {
  apiKey?: string;
  accessToken?: string;
}

/**
 * Executes an operation with the session of the signed-in user.
 *
 * @param credentials replace those of the session
 * @throws {ApiError} for the first error of the answer, and for a mutation that returns `OperationError`
 */
export async function execute<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  credentials: Credentials = currentSession() ?? {},
): Promise<Result> {
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

async function post<Result>(body: object, { apiKey, accessToken }: Credentials): Promise<Answer<Result>> {
  let response: Response;
  try {
    response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify(body),
    });
  } catch {
    throw new ApiError('UNREACHABLE', 'The server cannot be reached.');
  }
  const answer = (await response.json().catch(() => null)) as Answer<Result> | null;
  if (answer?.data || answer?.errors) return answer;
  if (response.status === 401) {
    if (accessToken !== undefined) expireSession(accessToken);
    throw new ApiError('UNAUTHORIZED', 'The session is not valid.');
  }
  throw new ApiError('UNKNOWN', `The server answered with status ${response.status}.`);
}

function isOperationError(value: unknown): value is { code: string; message: string } {
  return typeof value === 'object' && value !== null && '__typename' in value && value.__typename === 'OperationError';
}
