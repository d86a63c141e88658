import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { enumName } from '../schema/shared/rest-enum.ts';
import { EVENTS, namesOf, REALTIME_NAMES } from '../src/events/catalogue.ts';
import { EVENT_PAYLOADS, type EventKind } from '../src/events/event-payloads.ts';

const FOLDER = new URL('../docs/live-page/', import.meta.url);
const FILES = {
  '/docs/events': ['index.html', 'text/html'],
  '/docs/events/page.css': ['page.css', 'text/css'],
  '/docs/events/page.js': ['page.js', 'text/javascript'],
  '/docs/events/listen.js': ['listen.js', 'text/javascript'],
  '/docs/events/session.js': ['session.js', 'text/javascript'],
} as const;

/** Content-Security-Policy: the page loads from and connects to this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Mounts `/docs/events`, a page that signs in and shows events as they arrive. */
export async function mountLivePage(server: FastifyInstance): Promise<void> {
  for (const [path, [file, type]] of Object.entries(FILES)) {
    const text = await readFile(new URL(file, FOLDER), 'utf8');
    server.get(path, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('content-security-policy', POLICY).send(text),
    );
  }
  const types = JSON.stringify(eventTypes());
  server.get('/docs/events/types.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(types),
  );
}

/** The events that the page offers, by kind, with their names in GraphQL. */
function eventTypes() {
  return (Object.keys(EVENT_PAYLOADS) as EventKind[]).map((kind) => ({
    kind,
    events: namesOf(kind)
      .filter((name) => REALTIME_NAMES.includes(name))
      .map((name) => ({ name, type: enumName(name), meaning: EVENTS[name].meaning })),
  }));
}
