import { readFileSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { mountLivePage } from './live-page.ts';

/** As committed: printing them anew takes longer than the rest of the start. `npm run check:generated` tells when one is stale. */
const OPENAPI = new URL('../openapi.json', import.meta.url);
const ASYNCAPI = new URL('../asyncapi.json', import.meta.url);

/**
 * `/openapi.json` and, drawn from it, `/docs`; `/asyncapi.json` and the live page. Every script and style comes from this
 * server. The documents are read when they are requested: parsed they would hold 25 MB for pages that few processes serve.
 */
export async function mountDocs(server: FastifyInstance): Promise<void> {
  for (const [path, file] of [
    ['/openapi.json', OPENAPI],
    ['/asyncapi.json', ASYNCAPI],
  ] as const) {
    await access(file);
    server.get(path, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await readFile(file)),
    );
  }
  await mountLivePage(server);
  await server.register(specification);
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // Swagger UI's own policy allows frames, loads styles from elsewhere and requires TLS, which a local gateway lacks.
    transformStaticCSP: (policy) =>
      policy
        .replace(/frame-ancestors [^;]*/, "frame-ancestors 'none'")
        .replace(/style-src [^;]*/, "style-src 'self' 'unsafe-inline'")
        .replace(/font-src [^;]*/, "font-src 'self' data:")
        .replace(/img-src [^;]*/, "img-src 'self' data:")
        .replace(/ ?upgrade-insecure-requests;?/, ''),
    uiConfig: { persistAuthorization: false, docExpansion: 'list', tryItOutEnabled: true },
  });
}

/** What `@fastify/swagger` would decorate the server with; JSON is YAML, too. */
async function specification(server: FastifyInstance): Promise<void> {
  server.decorate('swagger', (options?: { yaml?: boolean }) => {
    const text = readFileSync(OPENAPI, 'utf8');
    return options?.yaml ? text : JSON.parse(text);
  });
}

// As fastify-plugin does it: decorates the server itself, and answers to the name that the page depends on.
Object.assign(specification, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' },
});
