import type { FastifyRequest } from 'fastify';

/** Names and protection of the cookies of a request. */
export interface CookieScope {
  /** Name of the cookie with the access token. */
  access: string;
  /** Name of the cookie with the refresh token. */
  refresh: string;
  secure: boolean;
}

/**
 * Prefixes of RFC 6265bis, section 4.1.3: browsers accept `__Host-` cookies only from this host, over TLS and for every path.
 * A cookie with a path of its own can only have the weaker `__Secure-`.
 */
const SECURE: CookieScope = {
  access: '__Host-colloquy_session',
  refresh: '__Secure-colloquy_refresh',
  secure: true,
};

/** For development: browsers differ in whether they accept `Secure` over plain HTTP from localhost. */
const LOCAL: CookieScope = { access: 'colloquy_session', refresh: 'colloquy_refresh', secure: false };

const LOCAL_NAME = /^(localhost|127\.0\.0\.1|\[::1\])$/i;

/** @returns null for plain HTTP, except on localhost */
export function cookieScopeOf(
  { protocol, headers: { host = '' } }: Pick<FastifyRequest, 'protocol' | 'headers'>,
  publicUrl: string | undefined,
): CookieScope | null {
  if (protocol === 'https' || publicUrl?.startsWith('https://')) return SECURE;
  return LOCAL_NAME.test(host.replace(/:\d+$/, '')) ? LOCAL : null;
}

/** The name of the cookie with the access token, for documentation: also where none is accepted. */
export const cookieNameOf = (
  request: Pick<FastifyRequest, 'protocol' | 'headers'>,
  publicUrl: string | undefined,
): string => (cookieScopeOf(request, publicUrl) ?? SECURE).access;
