import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import type { Config } from '../config.ts';
import type { SessionCookies, SessionTokens } from '../context.ts';
import { OperationError } from '../errors.ts';
import type { AllowedOrigins } from './allowed-origins.ts';
import { appendVary } from './append-vary.ts';
import { type CookieScope, cookieScopeOf } from './cookie-scope.ts';
import { forcesPreflight, isAllowedSource, sourceOf } from './request-source.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null unless SESSION_COOKIES is on. */
    cookieSession: CookieSession | null;
  }
}

/** The part of a request and its answer that concerns sessions in cookies. */
export interface CookieSession {
  /**
   * The access token of the cookie; null without one.
   * @throws {OperationError} PERMISSION_DENIED for a request that a page of another origin may have caused
   */
  token(): string | null;
  /** The access token of the cookie for a WebSocket; null without one, and for pages of origins that are not listed. */
  socketToken(): string | null;
  /** @throws {OperationError} PERMISSION_DENIED as {@link token}; BAD_REQUEST without TLS */
  cookies(): SessionCookies;
}

/** The path that receives the refresh token. */
const REFRESH_PATH = '/api/v5/sessions/refresh';

export interface SessionCookieOptions {
  config: Pick<Config, 'SESSION_COOKIES' | 'PUBLIC_URL'>;
  origins: AllowedOrigins;
}

/**
 * Sessions in cookies that scripts cannot read, for pages of this site: docs/guides/cookie-sessions.md. Must be mounted
 * after `@fastify/cookie`, and before CORS, which answers preflights.
 */
export async function mountSessionCookies(
  server: FastifyInstance,
  { config, origins }: SessionCookieOptions,
): Promise<void> {
  server.decorateRequest('cookieSession', null);
  if (!config.SESSION_COOKIES) return;
  if (origins.patterns === '*') {
    server.log.warn('CORS_ORIGINS=* lists no origin for SESSION_COOKIES: only pages of this gateway can use cookies');
  }
  const isListed = (origin: string) => origins.patterns !== '*' && origins.includes(origin);
  server.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && isListed(origin)) reply.header('access-control-allow-credentials', 'true');
    request.cookieSession = createCookieSession(request, reply, {
      scope: cookieScopeOf(request, config.PUBLIC_URL),
      isListed,
      publicUrl: config.PUBLIC_URL,
    });
    done();
  });
  server.addHook('preHandler', (request, _reply, done) => {
    if (isRefresh(request) && wantsCookies(request)) insertRefreshToken(request, config.PUBLIC_URL);
    done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isRefresh(request) && wantsCookies(request) && reply.statusCode === 401) clearCookies(request, reply, config);
    done(null, payload);
  });
}

/** Whether a request uses cookies, or asks for them. */
export function hasSessionCookies(request: FastifyRequest): boolean {
  return request.cookieSession !== null || wantsCookies(request);
}

/**
 * The cookies of the answer to a request; null if the client uses none.
 * @throws {OperationError} BAD_REQUEST if the client requests cookies, and SESSION_COOKIES is off
 */
export function sessionCookiesOf(request: FastifyRequest): SessionCookies | null {
  if (request.cookieSession) return request.cookieSession.cookies();
  if (!wantsCookies(request)) return null;
  throw new OperationError('BAD_REQUEST', { message: 'Sessions in cookies are disabled (SESSION_COOKIES).' });
}

/** Whether the client requests that tokens are set as cookies, and left out of the answer. */
function wantsCookies({ headers }: FastifyRequest): boolean {
  return headers['x-session'] === 'cookie';
}

const isRefresh = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url === REFRESH_PATH;

interface Rules {
  /** Null if cookies would travel without encryption. */
  scope: CookieScope | null;
  isListed(origin: string): boolean;
  publicUrl: string | undefined;
}

function createCookieSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { scope, isListed, publicUrl }: Rules,
): CookieSession {
  const isAllowed = () => isAllowedSource(request, { isListed, isSecure: scope?.secure ?? false, publicUrl });
  const stored = () => (scope ? (request.cookies[scope.access] ?? null) : null);

  function requireOwnPage(): void {
    if (!isAllowed()) {
      const source = sourceOf(request.headers)?.slice(0, 200);
      const message = source
        ? `Cookies are not accepted from pages of ${source}: it is not in CORS_ORIGINS.`
        : 'Cookies are accepted only with the header `Origin`, which browsers send.';
      throw new OperationError('PERMISSION_DENIED', { message });
    }
    if (!forcesPreflight(request)) {
      const message =
        'With cookies, this request needs the header `X-Session: cookie`, against requests of other sites.';
      throw new OperationError('PERMISSION_DENIED', { message });
    }
  }

  return {
    token() {
      appendVary(reply, 'Cookie');
      const token = stored();
      if (token !== null) requireOwnPage();
      return token;
    },
    socketToken: () => (request.headers.origin !== undefined && isAllowed() ? stored() : null),
    cookies() {
      const clear = () => {
        if (scope) setCookies(reply, scope, null);
      };
      if (!wantsCookies(request)) return { store: null, clear };
      if (!scope) {
        const message = 'Sessions in cookies need https: set PUBLIC_URL, or TRUST_PROXY for a proxy that ends TLS.';
        throw new OperationError('BAD_REQUEST', { message });
      }
      requireOwnPage();
      return { store: (tokens) => setCookies(reply, scope, tokens), clear };
    },
  };
}

/** Stores the tokens of a sign-in whose page is checked in another way. */
export function storeSessionCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  tokens: SessionTokens,
): void {
  const scope = cookieScopeOf(request, PUBLIC_URL);
  if (scope) setCookies(reply, scope, tokens);
}

/** @param tokens null removes the cookies */
function setCookies(reply: FastifyReply, scope: CookieScope, tokens: SessionTokens | null): void {
  const { secure } = scope;
  const set = (name: string, value: string, path: string) => {
    const options = { path, secure, httpOnly: true, sameSite: 'strict' } as const;
    if (!tokens || value === '') return reply.clearCookie(name, options);
    const maxAge = Math.max(0, Math.floor((tokens.sessionExpiresAt.getTime() - Date.now()) / 1_000));
    return reply.setCookie(name, value, { ...options, maxAge });
  };
  // Both last as long as the session: an expired access token shows to which session the refresh token belongs.
  set(scope.access, tokens?.accessToken ?? '', '/');
  set(scope.refresh, tokens?.refreshToken ?? '', REFRESH_PATH);
}

function clearCookies(request: FastifyRequest, reply: FastifyReply, { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): void {
  const scope = cookieScopeOf(request, PUBLIC_URL);
  if (scope) setCookies(reply, scope, null);
}

/**
 * Completes the body of a refresh with the token of the cookie. Another subdomain can set a cookie of this path, but not the
 * cookie of the access token: the two must be of one session.
 *
 * @throws {OperationError} UNAUTHORIZED without the cookie
 */
function insertRefreshToken(request: FastifyRequest, publicUrl: string | undefined): void {
  const body = (request.body ?? {}) as { refreshToken?: unknown };
  if (typeof body !== 'object' || body.refreshToken !== undefined) return;
  const scope = cookieScopeOf(request, publicUrl);
  const refreshToken = scope ? request.cookies[scope.refresh] : undefined;
  const accessToken = scope ? request.cookies[scope.access] : undefined;
  if (!refreshToken || !accessToken || sessionIdOf(refreshToken) !== sessionIdOf(accessToken)) {
    throw new OperationError('UNAUTHORIZED', { message: 'There is no refresh token in a cookie. Sign in again.' });
  }
  request.body = { ...body, refreshToken };
}

/** The session of a token whose signature was not checked; a symbol for a text that is no token, equal to no other. */
function sessionIdOf(token: string): string | symbol {
  try {
    return decodeJwt(token).jti ?? Symbol('no session');
  } catch {
    return Symbol('no token');
  }
}
