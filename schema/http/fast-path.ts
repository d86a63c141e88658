import type { FastifyRequest } from 'fastify';
import type { DocumentRequest } from '../documents/document-request.ts';
import type { Documents } from '../documents/documents.ts';
import type { Prepared, Refused } from '../documents/prepare.ts';
import { reportsCost } from './reports-cost.ts';

export interface FastPath {
  entry: Prepared | Refused;
  variables: { [name: string]: unknown } | null;
  reportsCost: boolean;
  contentType: string;
}

type Body = DocumentRequest & { variables?: unknown };

/** The common case: a JSON POST from a client that takes JSON. */
export async function fastPath(
  documents: Documents,
  { method, headers, body }: FastifyRequest,
): Promise<FastPath | null> {
  if (method !== 'POST' || !/^application\/json\b/.test(headers['content-type'] ?? '')) return null;
  const contentType = acceptedType(headers.accept);
  if (!contentType || typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { variables, operationName, extensions } = body as Body;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return null;
  if (!isMap(variables) || !isMap(extensions)) return null;
  const entry = await documents.prepare(body);
  if (!entry) return null;
  return {
    entry,
    variables: (variables as FastPath['variables']) ?? null,
    reportsCost: reportsCost(extensions, headers),
    contentType,
  };
}

export function acceptedType(accept: string | undefined): string | null {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  return accept.includes('application/graphql-response+json') ? 'application/graphql-response+json' : null;
}

/** Whether a parameter is absent, null or an object. */
function isMap(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}
