import type { FastifyInstance } from 'fastify';

/** Adds the headers that every response has. */
export function mountResponseHeaders(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    // The server would wait for a kept-alive connection long after its last answer.
    if (isClosing) reply.header('connection', 'close');
    // Answers depend on the viewer: shared caches must not store them.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store');
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    // For browsers that do not know frame-ancestors, and for pages without a policy of their own.
    if (/^text\/html\b/.test(String(reply.getHeader('content-type') ?? ''))) reply.header('x-frame-options', 'DENY');
    done(null, payload);
  });
}
