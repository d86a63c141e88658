import type { FastifyRequest } from 'fastify';
import { type Context, createContext, type Origin, type Services, type Viewer } from '../context.ts';
import { authenticate, authenticateConnected } from '../domain/session/authenticate.ts';
import { OperationError } from '../errors.ts';
import { bearerToken } from '../lib/bearer-token.ts';
import type { Transport } from '../store/records/audit.ts';
import { hasSessionCookies, sessionCookiesOf } from './session-cookies.ts';

/** Transactions end this much earlier than their request, so that the answer can report their outcome. */
const OUTCOME_MS = 100;

/**
 * Creates the context of a request from the headers that published clients send, and without a token in them from the
 * cookie of its session. Its deadline counts from now.
 */
export function contextOfRequest(services: Services, request: FastifyRequest, transport: Transport): Promise<Context> {
  const { headers } = request;
  const { authorization } = headers;
  const token = bearerToken(authorization) ?? header(headers['x-admin-token']);
  const credentials = { apiKey: header(headers['x-api-key']), serverKey: header(headers['x-server-key']) };
  const origin = originOf(request, transport);
  const open = (given: string | null) => contextOfToken(services, given, origin, credentials);
  return hasSessionCookies(request) ? contextWithCookies(request, token, open) : open(token);
}

/** @param token the token of a header, which takes precedence over the cookie */
async function contextWithCookies(
  request: FastifyRequest,
  token: string | null,
  open: (token: string | null) => Promise<Context>,
): Promise<Context> {
  const sessionCookies = sessionCookiesOf(request);
  const stored = token === null ? (request.cookieSession?.token() ?? null) : null;
  const context = await open(token ?? stored).catch((error) => {
    // Browsers send the cookie of an ended session also to sign in again.
    const hasEnded = stored !== null && error instanceof OperationError && error.errorName === 'UNAUTHORIZED';
    if (!hasEnded) throw error;
    return open(null);
  });
  context.sessionCookies = sessionCookies;
  return context;
}

/** Creates the context of a request from its token. Its deadline counts from now. */
function contextOfToken(
  services: Services,
  token: string | null,
  origin: Origin,
  credentials?: Context['credentials'],
): Promise<Context> {
  return contextOfViewer(services, () => authenticate(services, token), origin, credentials);
}

/** Creates the context of an operation on a connection that the token opened. Its deadline counts from now. */
export function contextOfConnection(services: Services, token: string | null, origin: Origin): Promise<Context> {
  return contextOfViewer(services, () => authenticateConnected(services, token), origin);
}

async function contextOfViewer(
  services: Services,
  loadViewer: () => Promise<Viewer | null>,
  origin: Origin,
  credentials?: Context['credentials'],
): Promise<Context> {
  const deadline = performance.now() + services.config.DATABASE_TIMEOUT_MS - OUTCOME_MS;
  const viewer = await loadViewer();
  // The reply to the read of the session says how recent cached records must be.
  const records = viewer ? services.store.records : null;
  // While the first records are read, so that later ones can be taken from memory without waiting.
  records?.catchUp();
  return createContext(services, viewer, credentials, deadline, undefined, records, origin);
}

/** The transport and the client address that the audit log records. */
export function originOf({ ip }: { ip: string }, transport: Transport): Origin {
  return { transport, address: ip };
}

function header(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
