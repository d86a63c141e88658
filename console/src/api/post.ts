import { expireSession } from '../session/session-store.ts';
import { ApiError } from './api-error.ts';

export interface Answer<Result> {
  data?: Result | null;
  errors?: Array<{ message: string; extensions?: { code?: string } }>;
}

export interface Credentials {
  apiKey?: string;
  accessToken?: string;
}

/**
 * Sends an operation.
 * @throws {ApiError} for an answer that contains neither data nor errors
 */
export async function post<Result>(body: object, { apiKey, accessToken }: Credentials): Promise<Answer<Result>> {
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
