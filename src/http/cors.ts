import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { type AllowedOrigins, isOwnOrigin } from './allowed-origins.ts';

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

/** Refused origins that are reported, and characters of each: their number is up to the clients. */
const MAX_REPORTED = 50;
const MAX_ORIGIN_LENGTH = 200;

/** Allows pages of some origins to call the API. Request headers are not restricted. */
export async function mountCors(server: FastifyInstance, allowed: AllowedOrigins): Promise<void> {
  if (allowed.patterns === '*') return enableCors(server, '*');
  reportRefusedOrigins(server, allowed);
  if (allowed.patterns.length > 0) await enableCors(server, [...allowed.patterns]);
}

async function enableCors(server: FastifyInstance, origin: '*' | Array<string | RegExp>): Promise<void> {
  await server.register(cors, { origin, methods: METHODS, exposedHeaders: EXPOSED, maxAge: MAX_AGE });
}

/** Logs the first request of each refused origin: the browser hides the reason from the page, and often from its developer. */
function reportRefusedOrigins(server: FastifyInstance, allowed: AllowedOrigins): void {
  const reported = new Set<string>();
  server.addHook('onRequest', ({ headers: { origin, host } }, _reply, done) => {
    if (origin === undefined || reported.size >= MAX_REPORTED || allowed.includes(origin)) return done();
    const shown = origin.slice(0, MAX_ORIGIN_LENGTH);
    if (!reported.has(shown) && !isOwnOrigin(origin, host)) {
      reported.add(shown);
      server.log.warn({ origin: shown }, REFUSED);
    }
    done();
  });
}

const REFUSED =
  'browsers refuse the answers to pages of this origin, and their WebSockets are rejected: if it is yours, add it to CORS_ORIGINS';
