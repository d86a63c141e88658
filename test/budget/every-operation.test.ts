import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentNode, Kind, parse } from 'graphql';
import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { MAX_BATCH } from '../../src/domain/batch.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { CHAT_ENDINGS, CHAT_OPERATIONS, MEDIA_OPERATIONS } from '../support/operations/chat.ts';
import { MODERATION_OPERATIONS } from '../support/operations/moderation.ts';
import { OTHER_OPERATIONS } from '../support/operations/other.ts';
import { PEOPLE_OPERATIONS, prepareKeys } from '../support/operations/people.ts';
import { prepareWebhooks, WEBHOOK_OPERATIONS } from '../support/operations/webhook.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.tokenOf('alice');
  await gateway.tokenOf('judy');
  await prepareWebhooks(gateway.services.store.collections);
  await prepareKeys(gateway.services.store.collections);
});
afterAll(() => gateway.close());

test.each([...OTHER_OPERATIONS, ...MODERATION_OPERATIONS, ...PEOPLE_OPERATIONS, ...WEBHOOK_OPERATIONS])(
  '$query takes at most $budget commands',
  async ({ query, budget, as = 'alice' }) => {
    await gateway.tokenOf(as);
    let answer: Awaited<ReturnType<TestGateway['graphql']>> | undefined;
    const commands = await gateway.commandsOf(async () => {
      answer = await gateway.graphql(query, { as });
    });
    expect(answer!.errors).toBeUndefined();
    expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(budget);
  },
);

test('signing in takes at most 7 commands, visiting 5, and minting an auth token takes one', async () => {
  const post = (query: string, headers: Record<string, string>) =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  const signIn = await gateway.commandsOf(() =>
    post('mutation { createSession(input: { userId: "bob", deviceId: "b" }) { __typename } }', {
      'x-api-key': gateway.keys.API_KEY,
    }),
  );
  expect(signIn.length, signIn.join(' ')).toBeLessThanOrEqual(7);
  const visit = await gateway.commandsOf(() =>
    post('mutation { createVisitorSession(input: { deviceId: "v" }) { __typename } }', {
      'x-api-key': gateway.keys.API_KEY,
    }),
  );
  expect(visit.length, visit.join(' ')).toBeLessThanOrEqual(5);
  const mint = await gateway.commandsOf(() =>
    post('mutation { mintAuthToken(input: { userId: "bob" }) { __typename } }', {
      'x-server-key': gateway.keys.SERVER_KEY,
    }),
  );
  expect(mint.length, mint.join(' ')).toBe(1);
});

test('registering a device takes five commands, and removing its registration two', async () => {
  const post = (query: string) =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': gateway.keys.API_KEY },
      body: JSON.stringify({ query }),
    });
  await post('mutation { createSession(input: { userId: "bob", deviceId: "b" }) { __typename } }');
  const registered = await gateway.commandsOf(() =>
    post(
      'mutation { registerPushDevice(input: { userId: "bob", deviceId: "b", platform: IOS, token: "t" }) { __typename } }',
    ),
  );
  expect(registered.length, registered.join(' ')).toBe(5);
  const removed = await gateway.commandsOf(() =>
    post('mutation { unregisterPushDevice(input: { deviceId: "b" }) { __typename } }'),
  );
  expect(removed.length, removed.join(' ')).toBe(2);
});

test('ending up to 500 other sessions takes at most 13 commands, and ending only one’s own as many', async () => {
  await gateway.tokenOf('admin');
  for (const query of [
    'mutation { revokeAllSessions(input: { keepsOwn: true }) { __typename } }',
    'mutation { revokeAllSessions(input: { keepsOwn: false }) { __typename } }',
  ]) {
    const commands = await gateway.commandsOf(() => gateway.graphql(query, { as: 'admin' }));
    expect(commands.length, commands.join(' ')).toBeLessThanOrEqual(13);
  }
});

test('ending the sessions of three batches takes six commands more for each batch', async () => {
  const { sessions } = gateway.services.store.collections;
  await gateway.tokenOf('bob');
  const { _id, ...pattern } = (await sessions.findOne({ networkId: 'default', userId: 'bob' }))!;
  const commandsFor = async (count: number) => {
    const copies = Array.from({ length: count }, (_, index) => ({
      ...pattern,
      ...{ _id: new ObjectId(), sessionId: `copy ${index} of ${count}`, revokedAt: null },
    }));
    await sessions.insertMany(copies);
    const query = 'mutation { revokeAllSessions(input: { keepsOwn: true }) { __typename } }';
    return (await gateway.commandsOf(() => gateway.graphql(query, { as: 'admin' }))).length;
  };
  await commandsFor(1);
  const one = await commandsFor(MAX_BATCH);
  const three = await commandsFor(3 * MAX_BATCH);
  expect(one).toBeLessThanOrEqual(13);
  expect(three - one).toBeLessThanOrEqual(2 * 6);
}, 120_000);

test('every field of Query and Mutation is in an operation with a budget', () => {
  const folders = [import.meta.dirname, join(import.meta.dirname, '..', 'support', 'operations')];
  const texts = folders.flatMap((folder) =>
    readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const chat = [...CHAT_OPERATIONS, ...CHAT_ENDINGS, ...MEDIA_OPERATIONS].map(([, query]) => parse(query));
  const webhooks = WEBHOOK_OPERATIONS.map(({ query }) => parse(query));
  const budgeted = new Set([...texts.flatMap(operationsIn), ...chat, ...webhooks].flatMap(rootFieldsOf));
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.keys(type.getFields()));
  expect(fields.filter((field) => !budgeted.has(field))).toEqual([]);
});

/** GraphQL documents written as string literals in a test's source. */
function operationsIn(text: string): DocumentNode[] {
  const literals = text.matchAll(/(['`])((?:mutation|query)?\s*(?:\([^)]*\)\s*)?\{[\s\S]*?)\1/g);
  return [...literals].flatMap(([, , literal]) => {
    const source = literal!.replace(/\$\{verb\}/g, 'add').replace(/\$\{[^}]*\}/g, 'x');
    try {
      const document = parse(source);
      return source.includes('addCommunityRoles')
        ? [document, parse(source.replace('addCommunityRoles', 'removeCommunityRoles'))]
        : [document];
    } catch {
      return [];
    }
  });
}

function rootFieldsOf(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : []))
      : [],
  );
}
