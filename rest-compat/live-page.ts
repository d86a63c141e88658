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
} as const;

/** What the page may do: load from here and talk to here, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/docs/events`: a page on which one signs in and sees events arrive. */
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

/** What can be picked: by what it is about, with the name in GraphQL. */
function eventTypes() {
  return (Object.keys(EVENT_PAYLOADS) as EventKind[]).map((kind) => ({
    kind,
    events: namesOf(kind)
      .filter((name) => REALTIME_NAMES.includes(name))
      .map((name) => ({ name, type: enumName(name), meaning: EVENTS[name].meaning })),
  }));
}
