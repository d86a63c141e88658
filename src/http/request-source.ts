import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isOwnOrigin } from './allowed-origins.ts';

type Request = Pick<FastifyRequest, 'headers' | 'method'>;

export interface SourceRules {
  /** Whether pages of an origin may use cookies. */
  isListed(origin: string): boolean;
  /** Whether this gateway is reached over TLS: pages without it are of another origin. */
  isSecure: boolean;
  publicUrl: string | undefined;
}

/**
 * Whether a page that may use the cookies of its user caused a request. Browsers set the headers that this reads, and
 * scripts cannot change them: `Origin`, `Referer` and `Sec-Fetch-Site` (W3C Fetch Metadata).
 */
export function isAllowedSource({ headers, method }: Request, { isListed, isSecure, publicUrl }: SourceRules): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return true;
  const source = sourceOf(headers);
  // Neither a page nor a link: the user entered the address. Browsers send `Origin` with all other methods.
  if (source === null) return isSafe(method) && (site === undefined || site === 'none');
  if (isListed(source)) return true;
  if (publicUrl !== undefined && URL.canParse(publicUrl) && source === new URL(publicUrl).origin) return true;
  return isOwnOrigin(source, headers.host) && (!isSecure || source.startsWith('https://'));
}

/** The origin of the page that caused a request; null if the browser does not report it. */
export function sourceOf({ origin, referer }: IncomingHttpHeaders): string | null {
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : null;
}

/** Headers that a page of another origin can send only after a preflight. */
const PREFLIGHT_HEADERS = ['x-session', 'graphql-require-preflight', 'apollo-require-preflight'];

/** Methods that a page of another origin can send without a preflight, and that change something. */
const SIMPLE_WRITE = 'POST';

/** Whether browsers send a request to another origin only after a preflight, or it changes nothing. */
export function forcesPreflight({ headers, method }: Request): boolean {
  if (method !== SIMPLE_WRITE) return true;
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return true;
  return PREFLIGHT_HEADERS.some((name) => headers[name]);
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
