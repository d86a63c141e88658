import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';

/** How long the database may take to answer before the gateway says that it does not serve. */
const READY_WITHIN_MS = 2_000;

/** `/healthz` says that the process lives, `/readyz` that it serves. */
export function mountHealth(server: FastifyInstance, services: Services): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await services.store.db.command({ ping: 1 }, { timeoutMS: READY_WITHIN_MS });
      return { status: 'ready' };
    } catch {
      return reply
        .code(503)
        .header('retry-after', '2')
        .send({ status: 'unavailable', reason: 'The database does not answer.' });
    }
  });
}
