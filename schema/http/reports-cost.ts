import type { IncomingHttpHeaders } from 'node:http';

const HEADER = 'x-graphql-cost';

/** Whether the answer to a request contains `extensions.cost`: with `extensions: { cost: true }`, or by a header over HTTP. */
export function reportsCost(extensions: unknown, headers: IncomingHttpHeaders = {}): boolean {
  return headers[HEADER] === 'include' || (extensions as { cost?: unknown } | null | undefined)?.cost === true;
}
