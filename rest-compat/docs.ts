import { readFile } from 'node:fs/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { mountLivePage } from './live-page.ts';

/** As committed: printing them anew takes longer than the rest of the start. `npm run check:generated` tells when one is stale. */
const OPENAPI = new URL('../openapi.json', import.meta.url);
const ASYNCAPI = new URL('../asyncapi.json', import.meta.url);

/** `/openapi.json` and, drawn from it, `/docs`; `/asyncapi.json` and the live page. Every script and style comes from this server. */
export async function mountDocs(server: FastifyInstance): Promise<void> {
  const text = await readFile(OPENAPI, 'utf8');
  server.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  const asyncapi = await readFile(ASYNCAPI, 'utf8');
  server.get('/asyncapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(asyncapi));
  await mountLivePage(server);
  await server.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) } });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { persistAuthorization: false, docExpansion: 'list', tryItOutEnabled: true },
  });
}
