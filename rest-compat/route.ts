import type { z } from 'zod';
import type { OwnDocument } from './documents.ts';

/** A REST path as data: parameters, a GraphQL document, and the side arrays of its answer. */
export interface Route<Params extends z.ZodType = z.ZodType, Variables = never> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In Fastify's syntax: `/api/v3/posts/:postId`. */
  path: string;
  /** Anchor of `docs/interface.md`, such as `query-comments`. */
  reference: string;
  summary: string;
  /** Path, query and body parameters in one object schema (`params.ts`). */
  params: Params;
  document: OwnDocument<Variables>;
  variables: (params: z.output<Params>) => Variables;
  /** The side arrays of the answer, main array first. Each is always present. */
  arrays: readonly string[];
  /** Name of the main record for a 404, which an empty main array causes. @default none */
  required?: string;
  /**
   * Whether the answer has `paging`, and the keys of its token for the previous page. A value `total` that the document
   * selects beside the list becomes part of it.
   */
  paging?: readonly ('previous' | 'prev')[];
  /** Rearranges the body where the interface is irregular. */
  wrap?: (body: { [key: string]: unknown }) => object;
  /** Whether `wrap` reads records instead of moving their arrays. @default false */
  wrapReadsRecords?: boolean;
  /** JSON Schema of the body. Required when `wrap` computes values instead of moving them. */
  answerSchema?: { [key: string]: unknown };
  /** Parameters that are ignored beside a page token, because clients send other values with a token. */
  tokenDecides?: readonly string[];
  /**
   * Whether the client of a first page reads the page that follows from `previous`. Its other pages are continued in the
   * same way. @default never
   */
  continuesWithPrevious?: (params: z.output<Params>) => boolean;
  /** `checked`: an X-API-Key is optional but must be that of the network: `docs/interface.md#authentication`. */
  apiKey?: 'checked';
  /** Whether the route requires no session. @default false */
  open?: boolean;
}

/** Checks a route against its own types. */
export function route<Params extends z.ZodType, Variables>(definition: Route<Params, Variables>): Route {
  return definition as unknown as Route;
}
