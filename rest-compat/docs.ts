import { readFileSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../src/config.ts';
import { cookieNameOf } from '../src/http/cookie-scope.ts';
import { mountLivePage } from './live-page.ts';
import { withSessionCookie } from './openapi-session-cookie.ts';

/** The committed files: generating them would take longer than the rest of the start. */
const OPENAPI = new URL('../openapi.json', import.meta.url);
const ASYNCAPI = new URL('../asyncapi.json', import.meta.url);
/** The style of `/docs`, and a script that changes Swagger UI. */
const PAGE = new URL('../docs/rest/', import.meta.url);

/**
 * Mounts `/openapi.json` with Swagger UI at `/docs`, `/asyncapi.json` and the live event page. All scripts and styles
 * come from this server. The documents are read on request: parsed, they would hold 25 MB. With SESSION_COOKIES, the OpenAPI
 * document has the cookie as a security scheme.
 */
export async function mountDocs(
  server: FastifyInstance,
  { SESSION_COOKIES, PUBLIC_URL }: Pick<Config, 'SESSION_COOKIES' | 'PUBLIC_URL'>,
): Promise<void> {
  const withCookie = (document: object, request: FastifyRequest) =>
    withSessionCookie(document, cookieNameOf(request, PUBLIC_URL));
  for (const [path, file] of [
    ['/openapi.json', OPENAPI],
    ['/asyncapi.json', ASYNCAPI],
  ] as const) {
    await access(file);
    const hasCookie = SESSION_COOKIES && file === OPENAPI;
    server.get(path, async (request, reply) => {
      const text = await readFile(file, 'utf8');
      const sent = hasCookie ? JSON.stringify(withCookie(JSON.parse(text), request), null, 2) : text;
      return reply.type('application/json; charset=utf-8').send(sent);
    });
  }
  await mountLivePage(server);
  const [style, script] = await Promise.all(
    ['page.css', 'page.js'].map((name) => readFile(new URL(name, PAGE), 'utf8')),
  );
  await server.register(specification);
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    ...(SESSION_COOKIES && {
      transformSpecification: (document, request) => withCookie(document, request),
      // `specification` parses a document of its own for each request.
      transformSpecificationClone: false,
    }),
    // Swagger UI's own policy allows frames, loads styles from elsewhere and requires TLS, which a local gateway lacks.
    transformStaticCSP: (policy) =>
      policy
        .replace(/frame-ancestors [^;]*/, "frame-ancestors 'none'")
        .replace(/style-src [^;]*/, "style-src 'self' 'unsafe-inline'")
        .replace(/font-src [^;]*/, "font-src 'self' data:")
        .replace(/img-src [^;]*/, "img-src 'self' data:")
        .replace(/ ?upgrade-insecure-requests;?/, ''),
    uiConfig: {
      layout: 'BaseLayout',
      persistAuthorization: false,
      // Drawing all operations would block the page for seconds.
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      displayOperationId: true,
      filter: true,
      tryItOutEnabled: true,
    },
    theme: {
      title: 'REST · Colloquy',
      css: [{ filename: 'page.css', content: style! }],
      js: [{ filename: 'page.js', content: script! }],
    },
  });
}

/** Decorates the server as `@fastify/swagger` does. Every JSON document is also YAML. */
async function specification(server: FastifyInstance): Promise<void> {
  server.decorate('swagger', (options?: { yaml?: boolean }) => {
    const text = readFileSync(OPENAPI, 'utf8');
    return options?.yaml ? text : JSON.parse(text);
  });
}

// As fastify-plugin does: the decoration reaches the parent scope, and Swagger UI finds the plugin it depends on by name.
Object.assign(specification, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' },
});
