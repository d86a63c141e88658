import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { RETRY_AFTER_SECONDS } from '../database-errors.ts';

/**
 * `/healthz` reports that the process runs, `/readyz` that it serves requests. A gateway with a read-only database is
 * ready, since it serves reads and no other gateway could do more; the answer then says so.
 */
export function mountHealth(server: FastifyInstance, { store }: Services): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const { isReady, isReadOnly, reason } = await store.availability.readiness();
    if (isReady) return isReadOnly ? { status: 'ready', writes: 'refused', reason } : { status: 'ready' };
    return reply.code(503).header('retry-after', RETRY_AFTER_SECONDS).send({ status: 'unavailable', reason });
  });
}
