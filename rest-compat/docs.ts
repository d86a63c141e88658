import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { schema } from '../schema/index.ts';
import { printOpenApi } from './openapi.ts';
import { ROUTES } from './routes.ts';

/** `/openapi.json` and, drawn from it, `/docs`: every script and style comes from this server. */
export async function mountDocs(server: FastifyInstance): Promise<void> {
  const document = printOpenApi(schema, ROUTES);
  server.get('/openapi.json', async () => document);
  await server.register(swagger, { mode: 'static', specification: { document: document as never } });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { persistAuthorization: false, docExpansion: 'list', tryItOutEnabled: true },
  });
}
