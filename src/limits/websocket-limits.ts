import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { OperationError } from '../errors.ts';

/**
 * Counts operations on a WebSocket as requests of the client's address, so that `RATE_LIMIT` applies to every transport.
 * @throws {OperationError} RATE_LIMITED, from the returned function
 */
export function createOperationCount(
  server: FastifyInstance,
  { RATE_LIMIT }: Config,
): (peer: { ip: string }) => Promise<void> {
  if (RATE_LIMIT === 0) return async () => undefined;
  const count = server.createRateLimit();
  return async ({ ip }) => {
    // The limiter reads only these of a request, which no longer exists.
    const counted = await count({ ip, routeOptions: { config: {} } } as FastifyRequest);
    if (!counted.isAllowed && counted.isExceeded) throw new OperationError('RATE_LIMITED');
  };
}

/**
 * Returns a function that decides about upgrades to a WebSocket: 403 for pages of origins that are not allowed, 503
 * beyond `SOCKET_LIMIT`, null to accept. Clients other than browsers send no origin.
 */
export function createUpgradeRefusal(
  { SOCKET_LIMIT }: Pick<Config, 'SOCKET_LIMIT'>,
  isAllowed: (origin: string, host: string | undefined) => boolean,
): (request: FastifyRequest) => number | null {
  return ({ headers: { origin, host }, server }) => {
    if (origin !== undefined && !isAllowed(origin, host)) return 403;
    return server.websocketServer.clients.size >= SOCKET_LIMIT ? 503 : null;
  };
}
