import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/** Every method of the REST interface; `@fastify/cors` allows GET, HEAD and POST by default. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Headers of answers that scripts of another origin may read, beyond those that the Fetch standard always exposes. */
const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Event-Cursor',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
/** Seconds that a browser caches the answer to a preflight. */
const MAX_AGE = 600;

/**
 * Allows pages of `CORS_ORIGINS` to call the API; without origins, no cross-origin page may. Request headers are not
 * restricted.
 */
export async function mountCors(
  server: FastifyInstance,
  { CORS_ORIGINS }: Pick<Config, 'CORS_ORIGINS'>,
): Promise<void> {
  const origins = CORS_ORIGINS.split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  if (origins.length === 0) return;
  await server.register(cors, {
    origin: origins.includes('*') ? '*' : origins,
    methods: METHODS,
    exposedHeaders: EXPOSED,
    maxAge: MAX_AGE,
  });
}
