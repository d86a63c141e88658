import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandStartedEvent, type Document, ObjectId } from 'mongodb';
import { expect } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { REALTIME_NAMES } from '../../src/events/catalogue.ts';
import type { MqttSessionRecord } from '../../src/store/records/mqtt.ts';
import type { PushDeviceRecord } from '../../src/store/records/user.ts';
import { WEBHOOK_NAMES } from '../../src/webhooks/names.ts';
import { routeName } from '../support/calls.ts';
import { CHAT } from '../support/chat-sample.ts';
import { signIn, type TestGateway } from '../support/gateway.ts';
import { successfulMutations } from '../support/mutate.ts';
import {
  CHAT_ENDINGS,
  CHAT_OPERATIONS,
  MEDIA_OPERATIONS,
  prepareEarlierFeed,
  prepareMedia,
} from '../support/operations/chat.ts';
import { COMMUNITY_OPERATIONS } from '../support/operations/community.ts';
import { MODERATION_OPERATIONS } from '../support/operations/moderation.ts';
import { OTHER_OPERATIONS } from '../support/operations/other.ts';
import { PEOPLE_OPERATIONS } from '../support/operations/people.ts';
import { POST_OPERATIONS } from '../support/operations/post.ts';
import { SOCIAL_WRITES } from '../support/operations/social.ts';
import { prepareWebhooks, WEBHOOK_OPERATIONS } from '../support/operations/webhook.ts';
import { CALLS, readSampleIds } from '../support/sample-calls.ts';
import { SAMPLE_VARIABLES } from '../support/sample-variables.ts';
import { type SentCommand, separateCommands } from '../support/separate-commands.ts';
import { type ListCall, listCalls } from './lists.ts';
import { conditionsOf, type Query, queriesOf } from './queries.ts';

export interface Collected {
  /** One example of each query that differs in more than its values. */
  queries: Query[];
  /** Inserted records, with their collection. */
  inserts: Array<{ collection: string; document: Document }>;
  /** Executed GraphQL documents, including those of the routes. */
  documents: string[];
}

/** Calls every route, every operation with a budget and every list in all its forms, and records the database commands. */
export async function collectQueries(gateway: TestGateway): Promise<Collected> {
  const found = new Map<string, Query>();
  const inserts: Collected['inserts'] = [];
  const documents: string[] = ROUTES.map((route) => route.document.toString());
  const recordOne = ({ commandName, command, databaseName }: SentCommand) => {
    if (databaseName !== gateway.services.store.db.databaseName) return;
    if (commandName === 'insert') {
      for (const document of command.documents) inserts.push({ collection: command.insert, document });
    }
    for (const query of queriesOf(commandName, command)) found.set(signatureOf(query), query);
  };
  const record = (event: CommandStartedEvent) => {
    for (const command of separateCommands(event)) recordOne(command);
  };
  const { client, collections } = gateway.services.store;
  await prepareEarlierFeed(collections);
  client.on('commandStarted', record);
  try {
    for (const { query, as } of operations()) {
      documents.push(query);
      await execute(gateway, query, as ? { as } : {});
    }
    for (const [document, variables] of documentsWithVariables()) {
      documents.push(document);
      await execute(gateway, document, { variables });
    }
    const ids = new Map<string, string>();
    for (const list of listCalls(schema)) for (const id of await requestList(gateway, list)) ids.set(typeOfId(id), id);
    await execute(gateway, `{ nodes(ids: ${JSON.stringify([...ids.values()])}) { id } }`);
    await deleteByFlags(gateway);
    await deleteReply(gateway);
    // Routes that end sessions come last.
    const routes = ROUTES.filter((route) => !route.open).sort(
      (a, b) => Number(isSignOut(a.path)) - Number(isSignOut(b.path)),
    );
    const sampleIds = await readSampleIds(gateway);
    let hasEnded = false;
    for (const route of routes) {
      if (isSignOut(route.path) && !hasEnded) {
        hasEnded = true;
        await prepareMedia(collections);
        for (const { query, as } of endings()) {
          documents.push(query);
          await execute(gateway, query, { as });
        }
      }
      const { as = 'alice', path, body } = CALLS[routeName(route)]!(sampleIds);
      const { status } = await gateway.rest(path, { as, method: route.method, body });
      expect([path, status]).toEqual([path, 200]);
    }
    for (const [query, , as] of SOCIAL_WRITES) {
      documents.push(query);
      await execute(gateway, query, { as });
    }
    await collections.pushDevices.insertOne(PUSH_DEVICE);
    await collections.mqttSessions.insertOne(MQTT_SESSION);
    await prepareWebhooks(collections);
    // These delete records that the routes need.
    for (const { query, as } of [...MODERATION_OPERATIONS, ...PEOPLE_OPERATIONS, ...WEBHOOK_OPERATIONS]) {
      documents.push(query);
      await execute(gateway, query, as ? { as } : {});
    }
    documents.push(UPLOAD);
    await execute(gateway, UPLOAD, { variables: { input: { files: [new File(['Notes'], 'notes.txt')] } } });
    documents.push(REVOKE_ALL_SESSIONS);
    await execute(gateway, REVOKE_ALL_SESSIONS, { as: 'admin' });
    // The shard keys of all records are tested: the mutation has removed these.
    await collections.mqttSessions.insertOne(MQTT_SESSION);
    await collections.pushDevices.insertOne(PUSH_DEVICE);
    await pollEvents(gateway);
  } finally {
    client.off('commandStarted', record);
  }
  return { queries: [...found.values()], inserts, documents };
}

const UPLOAD = 'mutation ($input: UploadFilesInput!) { uploadFiles(input: $input) { __typename } }';
/** Ends the sessions of all users. */
const REVOKE_ALL_SESSIONS = 'mutation { revokeAllSessions(input: {}) { __typename } }';

/** Polls for every event as a user, and for every webhook event with the server key. */
async function pollEvents(gateway: TestGateway): Promise<void> {
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

/** The subscriptions of a client over MQTT, which no request here creates. */
const MQTT_SESSION: MqttSessionRecord = {
  _id: new ObjectId(),
  networkId: 'default',
  userId: 'bob',
  clientId: 'client',
  topics: [],
  connectionId: 'connection',
  isClean: false,
  expiresAt: new Date(8.64e15),
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

/** A registration that no request removes. */
const PUSH_DEVICE: PushDeviceRecord = {
  _id: new ObjectId(),
  networkId: 'default',
  deviceId: 'phone',
  userId: 'bob',
  platform: 'ios',
  token: 'token',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

const isSignOut = (path: string): boolean => path.endsWith('/sessions');

/** Queries first, then mutations. */
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

/** Operations that end or delete records which other operations and routes need. */
function endings(): Array<{ query: string; as: string }> {
  return [
    ...MEDIA_OPERATIONS.map(([, query]) => ({ query, as: 'admin' })),
    ...CHAT_ENDINGS.map(([, query]) => ({ query, as: 'alice' })),
  ];
}

/** The documents of `test/graphql/documents`, each with its variables. */
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

/** Flags a message often enough that its channel deletes it. */
async function deleteByFlags(gateway: TestGateway): Promise<void> {
  const path = `/api/v3/messages/${CHAT.message('sprouting')}/flag`;
  for (const as of ['carol', 'erin', 'kim']) await gateway.rest(path, { as, method: 'POST' });
}

/** Replies to a message and deletes the reply. */
async function deleteReply(gateway: TestGateway): Promise<void> {
  const mutate = successfulMutations(gateway);
  const reply = { channelId: 'gardeners-chat', parentId: CHAT.message('welcome'), data: { text: 'Thanks' } };
  const { chatMessage } = await mutate('bob', 'sendMessage', reply, 'chatMessage { messageId }');
  await mutate('bob', 'deleteMessage', { messageId: chatMessage.messageId });
}

/** Requests the first page; of a plain form also the next and the last page. @returns the global ids of the first page */
async function requestList(gateway: TestGateway, { isPlain, paged }: ListCall): Promise<string[]> {
  const first = await execute(gateway, paged('first: 2'));
  const ids = [...first.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!);
  if (!isPlain) return ids;
  const [, cursor] = /"endCursor":"([^"]+)"/.exec(first) ?? [];
  if (cursor) await execute(gateway, paged(`first: 2, after: "${cursor}"`));
  await execute(gateway, paged('last: 2'));
  return ids;
}

const EXPECTED = ['BAD_REQUEST', 'INVALID_PARAMETERS', 'FORBIDDEN', 'NOT_FOUND'];

/** Executes a document. Errors that a client can cause are accepted, others fail the test. @returns the data as JSON */
async function execute(
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

/** The same text for queries that differ only in their values. */
function signatureOf({ collection, verb, filter, sort, isUpsert }: Query): string {
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shape(one))))].sort();
    if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date) return 0;
    return Object.entries(value).map(([name, inner]) => [name, shape(inner)]);
  };
  return JSON.stringify([collection, verb, shape(filter), [...conditionsOf(filter)], Object.entries(sort), isUpsert]);
}
