import type { FastifyInstance } from 'fastify';
import { RATE_SECONDS } from '../limits/rates/rate-classes.ts';
import type { Quota } from '../limits/rates/rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The quota that the request was counted for; null if it was not counted. */
    quota: Quota | null;
  }
}

/**
 * Adds `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) to the answers of counted requests, and
 * `Retry-After` to refusals.
 */
export function mountRateLimitHeaders(server: FastifyInstance): void {
  server.decorateRequest('quota', null);
  server.addHook('onSend', ({ quota }, reply, payload, done) => {
    if (quota) {
      const { name, limit, remaining, resetSeconds } = quota;
      reply.header('ratelimit-policy', `"${name}";q=${limit};w=${RATE_SECONDS}`);
      reply.header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
      // Other limits answer 429 too.
      if (reply.statusCode === 429 && remaining === 0) reply.header('retry-after', resetSeconds);
    }
    done(null, payload);
  });
}
