import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const PACKAGE = '@graphql-yoga/render-graphiql';
const FOLDER = new URL('../docs/graphiql/', import.meta.url);
const { resolve } = createRequire(import.meta.url);

/**
 * Content-Security-Policy: scripts, workers and connections of this server only, and no inline script. The editor adds
 * style elements and embeds its fonts and images.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'font-src data:',
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Files of the page below `/graphiql`. */
const OWN_FILES = ['page.css', 'page.js', 'session.js', 'fetcher.js', 'examples.js'];

/** Files below `/graphiql` that the package of GraphiQL exports as texts. */
const PACKAGE_FILES = {
  'graphiql.css': 'css',
  'graphiql.js': 'js',
  'worker-editorWorkerService.js': 'editorWorkerService',
  'worker-graphql.js': 'graphqlWorker',
  'worker-json.js': 'jsonWorker',
} as const;

/** The modules of the WebSocket client. */
const CLIENT_FILE = /^(client|common-[\w-]+)\.js$/;

interface Served {
  body: Buffer;
  compressed: Buffer;
}

/** Whether a request comes from a browser that opens the endpoint as a page. */
export function wantsGraphiql({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false;
}

/** Whether GraphiQL is installed. It is a development dependency: production never serves it. */
export function isGraphiqlInstalled(): boolean {
  try {
    resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/**
 * Mounts the scripts and styles of GraphiQL. Its page signs in as a client of the GraphQL API does, and gets the
 * sample users from the console.
 *
 * @returns the handler that serves the page
 */
export function mountGraphiql(
  server: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  for (const name of OWN_FILES) serve(server, name, () => readFile(new URL(name, FOLDER)));
  for (const [name, key] of Object.entries(PACKAGE_FILES)) {
    // Loaded on demand: the texts are nine megabytes, and most processes never serve them.
    serve(server, name, async () => Buffer.from((await import('@graphql-yoga/render-graphiql/graphiql'))[key]));
  }
  const clientFolder = dirname(resolve('graphql-ws/client'));
  server.get('/graphiql/graphql-ws/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    if (!CLIENT_FILE.test(name)) return reply.callNotFound();
    const body = await readFile(join(clientFolder, name)).catch(() => null);
    return body ? reply.type(typeOf(name)).send(body) : reply.callNotFound();
  });
  return async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(await readFile(new URL('index.html', FOLDER)));
}

function serve(server: FastifyInstance, name: string, read: () => Promise<Buffer>): void {
  let served: Promise<Served> | undefined;
  const load = async () => {
    const body = await read();
    return { body, compressed: await promisify(gzip)(body) };
  };
  server.get(`/graphiql/${name}`, async ({ headers }, reply) => {
    served ??= load();
    const { body, compressed } = await served;
    const isCompressed = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
    if (isCompressed) reply.header('content-encoding', 'gzip');
    return reply
      .type(typeOf(name))
      .header('vary', 'accept-encoding')
      .send(isCompressed ? compressed : body);
  });
}

function typeOf(name: string): string {
  return name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
}
