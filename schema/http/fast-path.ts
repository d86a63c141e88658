import type { FastifyRequest } from 'fastify';
import type { Executor, Prepared, Refused } from '../execute.ts';

export interface FastPath {
  entry: Prepared | Refused;
  variables: { [name: string]: unknown } | null;
  contentType: string;
}

/** The common case: a JSON POST from a client that takes JSON. */
export async function fastPath(
  executor: Executor,
  { method, headers, body }: FastifyRequest,
): Promise<FastPath | null> {
  if (method !== 'POST' || !/^application\/json\b/.test(headers['content-type'] ?? '')) return null;
  const contentType = acceptedType(headers.accept);
  if (!contentType || typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { query, variables, operationName, extensions } = body as { [name: string]: unknown };
  if (typeof query !== 'string' || extensions !== undefined) return null;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return null;
  if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables)))
    return null;
  const entry = await executor.prepareInTurn(query, operationName ?? null);
  return { entry, variables: (variables as FastPath['variables']) ?? null, contentType };
}

export function acceptedType(accept: string | undefined): string | null {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  return accept.includes('application/graphql-response+json') ? 'application/graphql-response+json' : null;
}
