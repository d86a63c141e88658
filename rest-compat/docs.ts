import type { FastifyInstance } from 'fastify';

/** The documentation of the legacy interface; see `openapi.ts`. */
export async function mountDocs(_server: FastifyInstance): Promise<void> {}
