import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandStartedEvent, Document } from 'mongodb';
import { expect } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { REALTIME_NAMES } from '../../src/events/catalogue.ts';
import { WEBHOOK_NAMES } from '../../src/webhooks/names.ts';
import { routeName } from '../support/calls.ts';
import { CHAT } from '../support/chat-sample.ts';
import { signIn, type TestGateway } from '../support/gateway.ts';
import { CHAT_ENDINGS, CHAT_OPERATIONS, MEDIA_OPERATIONS, prepareMedia } from '../support/operations/chat.ts';
import { COMMUNITY_OPERATIONS } from '../support/operations/community.ts';
import { OTHER_OPERATIONS } from '../support/operations/other.ts';
import { PEOPLE_OPERATIONS } from '../support/operations/people.ts';
import { POST_OPERATIONS } from '../support/operations/post.ts';
import { SOCIAL_WRITES } from '../support/operations/social.ts';
import { prepareWebhooks, WEBHOOK_OPERATIONS } from '../support/operations/webhook.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';
import { SAMPLE_VARIABLES } from '../support/sample-variables.ts';
import { type ListCall, listCalls } from './lists.ts';
import { conditionsOf, type Query, queriesOf } from './queries.ts';

export interface Collected {
  /** One example of each query that differs in more than its values. */
  queries: Query[];
  /** Records as they were put in, by collection. */
  inserts: Array<{ collection: string; document: Document }>;
  /** GraphQL documents that ran, those of the routes among them. */
  documents: string[];
}

/** Runs every route, every operation with a budget and every list in all its forms, and notes what the database is asked. */
export async function collectQueries(gateway: TestGateway): Promise<Collected> {
  const found = new Map<string, Query>();
  const inserts: Collected['inserts'] = [];
  const documents: string[] = ROUTES.map((row) => row.document.toString());
  const note = ({ commandName, command, databaseName }: CommandStartedEvent) => {
    if (databaseName !== gateway.services.store.db.databaseName) return;
    if (commandName === 'insert') {
      for (const document of command.documents) inserts.push({ collection: command.insert, document });
    }
    for (const query of queriesOf(commandName, command)) found.set(signatureOf(query), query);
  };
  const { client } = gateway.services.store;
  client.on('commandStarted', note);
  try {
    for (const { query, as } of operations()) {
      documents.push(query);
      await ask(gateway, query, as ? { as } : {});
    }
    for (const [document, variables] of documentsWithVariables()) {
      documents.push(document);
      await ask(gateway, document, { variables });
    }
    const ids = new Map<string, string>();
    for (const list of listCalls(schema)) for (const id of await askList(gateway, list)) ids.set(typeOfId(id), id);
    await ask(gateway, `{ nodes(ids: ${JSON.stringify([...ids.values()])}) { id } }`);
    await deleteByFlags(gateway);
    // What signs people out comes last.
    const routes = ROUTES.filter((row) => !row.open).sort(
      (a, b) => Number(isSignOut(a.path)) - Number(isSignOut(b.path)),
    );
    const sampleIds = await readSampleIds(gateway);
    let hasEnded = false;
    for (const row of routes) {
      if (isSignOut(row.path) && !hasEnded) {
        hasEnded = true;
        await prepareMedia(gateway.services.store.collections);
        for (const { query, as } of endings()) {
          documents.push(query);
          await ask(gateway, query, { as });
        }
      }
      const { as = 'alice', path, body } = CALLS[routeName(row)]!(sampleIds);
      const { status } = await gateway.rest(path, { as, method: row.method, body });
      expect([path, status]).toEqual([path, 200]);
    }
    for (const [query, , as] of SOCIAL_WRITES) {
      documents.push(query);
      await ask(gateway, query, { as });
    }
    await prepareWebhooks(gateway.services.store.collections);
    // They take away what the routes need.
    for (const { query, as } of [...PEOPLE_OPERATIONS, ...WEBHOOK_OPERATIONS]) {
      documents.push(query);
      await ask(gateway, query, as ? { as } : {});
    }
    await askForEvents(gateway);
  } finally {
    client.off('commandStarted', note);
  }
  return { queries: [...found.values()], inserts, documents };
}

/** Every event by long poll: as somebody in particular, and as the application's own server. */
async function askForEvents(gateway: TestGateway): Promise<void> {
  const authorization = `Bearer ${await signIn(gateway, 'admin')}`;
  for (const name of REALTIME_NAMES) {
    const { status } = await gateway.rest(`/realtime/${name}`, { as: null, headers: { authorization } });
    expect([200, 204], name).toContain(status);
  }
  const headers = { 'x-server-key': gateway.keys.SERVER_KEY };
  for (const name of WEBHOOK_NAMES) {
    const { status } = await gateway.rest(`/webhook/${name}`, { as: null, headers });
    expect([200, 204], name).toContain(status);
  }
}

const isSignOut = (path: string): boolean => path.endsWith('/sessions');

/** Those that change something come after those that only look. */
function operations(): Array<{ query: string; as?: string | undefined }> {
  const all = [
    ...POST_OPERATIONS.map(([query]) => ({ query, as: 'bob' })),
    ...COMMUNITY_OPERATIONS.map(([, , query]) => ({ query })),
    ...CHAT_OPERATIONS.map(([, query]) => ({ query })),
    ...OTHER_OPERATIONS.map(({ query, as }) => ({ query, as })),
  ];
  const rank = (query: string) => (query.includes('revokeSession') ? 2 : query.startsWith('mutation') ? 1 : 0);
  return all.sort((a, b) => rank(a.query) - rank(b.query));
}

/** What other operations and routes could not do without comes last of all. */
function endings(): Array<{ query: string; as: string }> {
  return [
    ...MEDIA_OPERATIONS.map(([, query]) => ({ query, as: 'admin' })),
    ...CHAT_ENDINGS.map(([, query]) => ({ query, as: 'alice' })),
  ];
}

/** The routes' own documents and those written for tests, each with the variables it has there. */
function documentsWithVariables(): Array<[document: string, variables: Record<string, unknown>]> {
  const folder = join(import.meta.dirname, '..', 'graphql', 'documents');
  const documents = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return documents.flatMap((document) => {
    const [, name = ''] = /^query (\w+)/m.exec(document) ?? [];
    return (SAMPLE_VARIABLES[name] ?? []).map((variables): [string, Record<string, unknown>] => [document, variables]);
  });
}

/** Global ids are `type:id` in base64. */
const typeOfId = (id: string): string => Buffer.from(id, 'base64').toString().split(':')[0]!;

/** Three flags are what the channel of this message takes. */
async function deleteByFlags(gateway: TestGateway): Promise<void> {
  const path = `/api/v3/messages/${CHAT.message('sprouting')}/flag`;
  for (const as of ['carol', 'erin', 'kim']) await gateway.rest(path, { as, method: 'POST' });
}

/** Forward; in its plain forms also on from there, and from the end. @returns global ids of what it found */
async function askList(gateway: TestGateway, { isPlain, paged }: ListCall): Promise<string[]> {
  const first = await ask(gateway, paged('first: 2'));
  const ids = [...first.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!);
  if (!isPlain) return ids;
  const [, cursor] = /"endCursor":"([^"]+)"/.exec(first) ?? [];
  if (cursor) await ask(gateway, paged(`first: 2, after: "${cursor}"`));
  await ask(gateway, paged('last: 2'));
  return ids;
}

const EXPECTED = ['BAD_REQUEST', 'INVALID_PARAMETERS', 'FORBIDDEN', 'NOT_FOUND'];

/** @returns the answer, which may be an expected refusal but never an unexpected failure */
async function ask(
  gateway: TestGateway,
  query: string,
  call: { as?: string; variables?: Record<string, unknown> } = {},
): Promise<string> {
  const { data, errors } = await gateway.graphql(query, call);
  for (const { message, extensions } of errors ?? []) {
    expect(EXPECTED, `${query}: ${message}`).toContain(extensions?.code);
  }
  return JSON.stringify(data);
}

/** Equal for queries that differ only in their values. */
function signatureOf({ collection, verb, filter, sort, isUpsert }: Query): string {
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shape(one))))].sort();
    if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date) return 0;
    return Object.entries(value).map(([name, inner]) => [name, shape(inner)]);
  };
  return JSON.stringify([collection, verb, shape(filter), [...conditionsOf(filter)], Object.entries(sort), isUpsert]);
}
