import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PAGES } from '../../console/src/pages.ts';

const TYPES: { readonly [extension: string]: string } = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Content-Security-Policy: scripts, styles and connections of this server only, nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The names of built scripts and styles change with their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

interface ConsoleFile {
  body: Buffer;
  compressed: Buffer;
  type: string;
}

/** What the sign-in page of a development gateway offers. */
export interface SampleSignIn {
  apiKey: string;
  accounts: Array<{ userId: string; displayName: string; description: string; authToken: string }>;
}

export interface ConsoleOptions {
  /** Folder of the built console; without it, the console is built from its sources at the first request. */
  built: URL;
  /** Creates tokens for sample accounts; null unless the gateway has sample data and generated keys. */
  sampleSignIn: (() => Promise<SampleSignIn>) | null;
}

/**
 * Mounts the web console at `/admin`. It is a client of the GraphQL API: these routes serve static files and, to
 * browsers on the machine of a development gateway, tokens of sample accounts.
 */
export function mountConsole(server: FastifyInstance, { built, sampleSignIn }: ConsoleOptions): void {
  let loaded: Promise<Map<string, ConsoleFile>> | undefined;
  const load = () => {
    loaded ??= loadFiles(built).catch((error) => {
      // The next request tries again.
      loaded = undefined;
      throw error;
    });
    return loaded;
  };

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = (request.params as { '*'?: string })['*'] ?? '';
    const isKnown = (CONSOLE_PAGES as readonly string[]).includes(page.split('/')[0]!);
    reply
      .code(isKnown ? 200 : 404)
      .header('cache-control', 'no-cache')
      .header('content-security-policy', POLICY);
    return send(request, reply, (await load()).get('index.html')!);
  }

  server.get('/admin', sendPage);
  server.get('/admin/*', sendPage);
  server.get('/admin/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const file = (await load()).get(`assets/${name}`);
    if (!file) return reply.callNotFound();
    reply.header('cache-control', /-[A-Z0-9]{8}\.\w+$/.test(name) ? IMMUTABLE : 'public, max-age=3600');
    return send(request, reply, file);
  });
  // A POST, because browsers send `Origin` with it also to the same origin.
  server.post('/admin/sample-accounts', async (request, reply) => {
    if (!sampleSignIn || !isLocal(request)) return reply.send({ apiKey: null, accounts: [] });
    return reply.send(await sampleSignIn());
  });
}

function send(request: FastifyRequest, reply: FastifyReply, { body, compressed, type }: ConsoleFile): FastifyReply {
  const isCompressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (isCompressed) reply.header('content-encoding', 'gzip');
  return reply
    .type(type)
    .header('vary', 'accept-encoding')
    .send(isCompressed ? compressed : body);
}

async function loadFiles(built: URL): Promise<Map<string, ConsoleFile>> {
  const files = existsSync(built) ? await readFiles(built) : await buildFiles();
  const entries = files.map(async ({ path, contents }) => {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)]!;
    return [path, { body: contents, compressed: await promisify(gzip)(contents), type }] as const;
  });
  return new Map(await Promise.all(entries));
}

interface BuiltFile {
  path: string;
  contents: Buffer;
}

async function readFiles(folder: URL): Promise<BuiltFile[]> {
  const names = await readdir(new URL('assets/', folder));
  const paths = ['index.html', ...names.map((name) => `assets/${name}`)];
  return Promise.all(paths.map(async (path) => ({ path, contents: await readFile(new URL(path, folder)) })));
}

/** For a gateway that runs from its sources. */
async function buildFiles(): Promise<BuiltFile[]> {
  const { buildConsole } = await import(new URL('../../scripts/build-console.mjs', import.meta.url).href);
  return buildConsole();
}

/**
 * Whether a page of this gateway, open in a browser on this machine, sent the request directly. A proxy on this machine
 * may rewrite `Host` and send no forwarding header, but `Origin` remains the address that the browser shows.
 */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  const isLoopback = /^(::1|(::ffff:)?127\.[\d.]+)$/.test(raw.socket.remoteAddress ?? '');
  const isProxied = Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name));
  const isLocalName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '');
  const isOwnPage = headers.origin === `http://${headers.host}` && headers['sec-fetch-site'] === 'same-origin';
  return isLoopback && !isProxied && isLocalName && isOwnPage;
}
