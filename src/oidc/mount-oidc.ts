import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { createContext, type Services } from '../context.ts';
import { type Explain, RETRY_AFTER_SECONDS } from '../database-errors.ts';
import { OperationError } from '../errors.ts';
import type { AllowedOrigins } from '../http/allowed-origins.ts';
import { type CookieScope, cookieScopeOf } from '../http/cookie-scope.ts';
import { storeSessionCookies } from '../http/session-cookies.ts';
import { toOperationError } from '../http/to-operation-error.ts';
import type { Charge } from '../limits/rates/charge.ts';
import { READ, SIGN_IN } from '../limits/rates/operation-usage.ts';
import type { RequestDeadline } from '../limits/request-deadline.ts';
import { sendErrorPage } from './error-page.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { createOidcProvider, ProviderError } from './provider.ts';
import { returnAddressOf } from './return-address.ts';
import { type SignedIn, signInPerson } from './sign-in-person.ts';
import { createTransactionCodec, type SignInTransaction, TRANSACTION_SECONDS } from './transaction-cookie.ts';

export interface OidcOptions {
  services: Services;
  settings: OidcSettings;
  origins: AllowedOrigins;
  /** Secret from which the key of the cookies of sign-ins in progress derives. */
  secret: string;
  charge: Charge;
  withDeadline: RequestDeadline;
  explain: Explain;
}

const CALLBACK = '/auth/oidc/callback';

/**
 * Sign-in at an OpenID Connect provider, by the authorization code flow with PKCE: docs/guides/openid-connect.md. The
 * cookie of a sign-in in progress is `Lax`, because the provider's site sends the browser back.
 */
export function mountOidc(server: FastifyInstance, options: OidcOptions): void {
  const { services, settings, origins, charge } = options;
  const { config } = services;
  const provider = createOidcProvider(settings);
  const transactions = createTransactionCodec(options.secret);
  const callbackUrl = () => new URL(`${services.publicUrl}${CALLBACK}`);
  const errorHandler = createErrorHandler(options.explain);
  const route = { errorHandler, exposeHeadRoute: false } as const;

  server.get<{ Querystring: Record<string, unknown> }>('/auth/oidc/start', route, async (request, reply) => {
    await charge(request, { viewer: null }, READ);
    const scope = requireScope(request, config);
    const returnTo = returnAddressOf(request.query.returnTo, services.publicUrl, origins);
    if (!returnTo) throw new OperationError('BAD_REQUEST', { message: 'returnTo is not an address of CORS_ORIGINS.' });
    const delivery = deliveryOf(request.query.session, config);
    const { url, pending } = await provider.begin(callbackUrl().href);
    const text = await transactions.encrypt({ ...pending, returnTo: returnTo.href, delivery });
    reply.setCookie(cookieName(scope), text, { ...cookieOptions(scope), maxAge: TRANSACTION_SECONDS });
    return reply.redirect(url.href, 302);
  });

  server.get<{ Querystring: Record<string, unknown> }>(CALLBACK, route, async (request, reply) => {
    await charge(request, { viewer: null }, SIGN_IN);
    const scope = requireScope(request, config);
    const text = request.cookies[cookieName(scope)];
    const transaction = text ? await transactions.decrypt(text) : null;
    if (!transaction) {
      throw new OperationError('BAD_REQUEST', { message: 'This sign-in has expired or was completed. Start again.' });
    }
    // One use: also a failed sign-in starts again.
    reply.clearCookie(cookieName(scope), cookieOptions(scope));
    const callback = callbackUrl();
    callback.search = new URL(request.url, callback).search;
    const person = await provider.finish(callback, transaction);
    const signedIn = await options.withDeadline(() =>
      signInPerson(contextOf(request), { person, settings, delivery: transaction.delivery }),
    );
    return reply.redirect(deliver(request, reply, transaction, signedIn), 303);
  });

  function contextOf({ ip }: FastifyRequest) {
    const deadline = performance.now() + config.DATABASE_TIMEOUT_MS;
    const origin = { transport: 'rest', address: ip } as const;
    return createContext(services, null, undefined, deadline, undefined, null, origin);
  }

  /** @returns the address to which the browser returns */
  function deliver(
    request: FastifyRequest,
    reply: FastifyReply,
    { returnTo }: SignInTransaction,
    { tokens, code }: SignedIn,
  ): string {
    const address = new URL(returnTo);
    if (tokens) storeSessionCookies(request, reply, config, tokens);
    // Browsers send the fragment to no server, and not in `Referer`.
    if (code) address.hash = new URLSearchParams({ login_code: code }).toString();
    return address.href;
  }
}

/** @throws {OperationError} BAD_REQUEST for plain HTTP, except on localhost */
function requireScope(request: FastifyRequest, { PUBLIC_URL }: Config): CookieScope {
  const scope = cookieScopeOf(request, PUBLIC_URL);
  if (scope) return scope;
  const message = 'A sign-in needs https: set PUBLIC_URL, or TRUST_PROXY for a proxy that ends TLS.';
  throw new OperationError('BAD_REQUEST', { message });
}

const cookieName = ({ secure }: CookieScope): string => (secure ? '__Host-colloquy_oidc' : 'colloquy_oidc');

const cookieOptions = ({ secure }: CookieScope) => ({ path: '/', secure, httpOnly: true, sameSite: 'lax' }) as const;

/** @throws {OperationError} BAD_REQUEST */
function deliveryOf(given: unknown, { SESSION_COOKIES }: Config): SignInTransaction['delivery'] {
  if (given === undefined) return SESSION_COOKIES ? 'cookie' : 'code';
  if (given === 'code' || (given === 'cookie' && SESSION_COOKIES)) return given;
  const message = 'session is code, or with SESSION_COOKIES cookie.';
  throw new OperationError('BAD_REQUEST', { message });
}

/** The answers to a failed exchange with the provider. Details are in the log only. */
const PROVIDER_ERRORS = {
  unavailable: {
    status: 503,
    code: 'PROVIDER_UNAVAILABLE',
    message: 'The sign-in service does not answer. Try again later.',
  },
  denied: { status: 403, code: 'PROVIDER_DENIED', message: 'The sign-in service did not sign you in. Start again.' },
  invalid: {
    status: 400,
    code: 'SIGN_IN_INVALID',
    message: 'The answer of the sign-in service is not valid. Start again.',
  },
} as const;

/** Answers with a page: the client is a browser that follows redirects. */
function createErrorHandler(explain: Explain) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof ProviderError) {
      const page = PROVIDER_ERRORS[error.reason];
      request.errorCode = page.status === 503 ? 'UNAVAILABLE' : 'UNAUTHORIZED';
      request.log.warn(reportOf(error), 'a sign-in at the OpenID Connect provider failed');
      if (page.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
      return sendErrorPage(reply, page);
    }
    const { errorName, httpStatus, message } = toOperationError(explain(error) ?? (error as OperationError), request);
    request.errorCode = errorName;
    if (errorName === 'UNAVAILABLE') reply.header('retry-after', RETRY_AFTER_SECONDS);
    return sendErrorPage(reply, { status: httpStatus, code: errorName, message });
  };
}

/** What the log says about a failure: without the answers of the provider, which may contain tokens. */
function reportOf({ reason, cause }: ProviderError): object {
  const { message, code, cause: source } = cause as Error & { code?: unknown };
  return { reason, code, message, source: source instanceof Error ? source.message : undefined };
}
