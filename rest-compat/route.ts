import type { z } from 'zod';

/** A document with the types of its answer and variables, as `codegen.yml` generates it. */
export interface RestDocument<Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => unknown;
}

/** One path of the legacy interface: data plus a GraphQL document, no code of its own. */
export interface Route<Params extends z.ZodType = z.ZodType, Variables = never> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Fastify's spelling: `/api/v3/posts/:postId`. */
  path: string;
  /** The part of the contract this is, such as `interface §4.3`. */
  section: string;
  summary: string;
  /** Path, query and body in one set (`params.ts`). */
  params: Params;
  document: RestDocument<Variables>;
  variables: (params: z.output<Params>) => Variables;
  /** The side arrays of the answer, main array first; each is always present. */
  arrays: readonly string[];
  /** What the answer is about, when there is nothing to answer without it: no record in the main array is a 404. */
  required?: string;
  /** Whether the answer has `paging`, and how it spells the way back. */
  paging?: readonly ('previous' | 'prev')[];
  /** Shapes the body when the interface is irregular; say which section. */
  wrap?: (body: { [key: string]: unknown }) => object;
  /** JSON Schema of the body, needed when `wrap` computes something new rather than moves parts about. */
  answerSchema?: { [key: string]: unknown };
  /** Parameters that a request with a page token cannot change, which clients send differently with a token. */
  tokenDecides?: readonly string[];
  /** `checked`: an X-API-Key that is given must be the network's, though it may be left out (interface §5). */
  apiKey?: 'checked';
  /** Whether it answers without a session. @default false */
  open?: boolean;
}

/** Checks a row against its own types. */
export function route<Params extends z.ZodType, Variables>(row: Route<Params, Variables>): Route {
  return row as unknown as Route;
}
