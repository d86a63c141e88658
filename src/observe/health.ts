import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { RETRY_AFTER_SECONDS } from '../database-errors.ts';

/**
 * `/healthz` says that the process lives, `/readyz` that it serves. A database that only takes no writes leaves it
 * ready, for reads go on and every other gateway would be in the same place; the answer then says so.
 */
export function mountHealth(server: FastifyInstance, { store }: Services): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const { isReady, isReadOnly, reason } = await store.availability.readiness();
    if (isReady) return isReadOnly ? { status: 'ready', writes: 'refused', reason } : { status: 'ready' };
    return reply.code(503).header('retry-after', RETRY_AFTER_SECONDS).send({ status: 'unavailable', reason });
  });
}
