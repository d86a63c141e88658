import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { OperationError } from '../errors.ts';

/** Counts what comes over a socket as a request of its client's address, so that the limit holds on every door. */
export function createOperationCount(
  server: FastifyInstance,
  { RATE_LIMIT }: Config,
): (request: FastifyRequest) => Promise<void> {
  if (RATE_LIMIT === 0) return async () => undefined;
  const count = server.createRateLimit();
  return async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw new OperationError('RATE_LIMITED');
  };
}

/**
 * Why a request must not become a socket: pages of other origins than those that may call (403), and more sockets than
 * the process is to hold (503). Programs send no origin.
 */
export function createUpgradeRefusal({
  CORS_ORIGINS,
  SOCKET_LIMIT,
}: Config): (request: FastifyRequest) => number | null {
  const origins = CORS_ORIGINS.split(',').map((origin) => origin.trim());
  return ({ headers: { origin, host }, server }) => {
    const isKnown =
      origin === undefined || origins.includes('*') || origins.includes(origin) || hostOf(origin) === host;
    if (!isKnown) return 403;
    return server.websocketServer.clients.size >= SOCKET_LIMIT ? 503 : null;
  };
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
