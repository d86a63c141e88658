import { GraphQLError } from 'graphql';
import type { Refused } from '../documents/prepare.ts';
import type { Answered } from './run.ts';

/** The response to an operation that was not executed. Its status is in the errors, in the form that Yoga reads. */
export function refusal({ result }: Pick<Answered, 'result'>): Pick<Answered, 'status' | 'text'> {
  const statuses = (result.errors ?? []).map(
    ({ extensions }) => (extensions.http as { status?: number })?.status ?? 200,
  );
  const errors = (result.errors ?? []).map((error) => {
    const { extensions, ...shown } = error.toJSON();
    const { http: _, ...rest } = extensions ?? {};
    return Object.keys(rest).length > 0 ? { ...shown, extensions: rest } : shown;
  });
  const status = Math.max(...statuses);
  return { status, text: JSON.stringify({ errors, extensions: result.extensions }) };
}

/** The response to a document that is not valid, in the form of Yoga: its status is 200 for clients of plain JSON. */
export function refusedDocument({ errors, document }: Refused, contentType: string): Pick<Answered, 'status' | 'text'> {
  const code = document ? 'GRAPHQL_VALIDATION_FAILED' : 'GRAPHQL_PARSE_FAILED';
  const isPlain = contentType === 'application/json';
  const result = { errors: errors.map((error) => withCode(error, { code, isPlain })) };
  const refused = refusal({ result });
  const status = refused.status === 200 && !isPlain ? 400 : refused.status;
  return { status, text: refused.text };
}

/** @param isPlain whether the client takes plain JSON, for which a status of the specification does not apply */
function withCode(error: GraphQLError, { code, isPlain }: { code: string; isPlain: boolean }): GraphQLError {
  const { http, ...rest } = error.extensions as { http?: { spec?: boolean } };
  const extensions = { code, ...rest, ...(http && !(isPlain && http.spec) && { http }) };
  return new GraphQLError(error.message, { nodes: error.nodes ?? null, extensions });
}
