import { setTimeout as pause } from 'node:timers/promises';
import { type Collection, type CommandStartedEvent, type Document, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadBudget, type ReadBudget } from '../../src/limits/read-budget.ts';
import { readKeysetTogether } from '../../src/store/keyset-batcher.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // The change stream of the record cache is no page.
  gateway = await startTestGateway({ CACHE_MB: '0' });
});
afterAll(() => gateway.close());

test('every page has a time limit, alone or in a shared command', async () => {
  const sent: Document[] = [];
  const note = ({ command }: CommandStartedEvent) => sent.push(command);
  gateway.services.store.client.on('commandStarted', note);
  await gateway.graphql('{ users(keyword: "nobody") { edges { cursor } } }');
  await gateway.graphql('{ contentFeed { edges { node { comments { edges { cursor } } } } } }');
  gateway.services.store.client.off('commandStarted', note);
  const pages = sent.filter((command) => command.aggregate || (command.find && command.sort));
  expect(pages.map((command) => Object.keys(command)[0])).toEqual(expect.arrayContaining(['find', 'aggregate']));
  for (const command of pages) expect(command.maxTimeMS).toBe(5_000);
});

test('rejects a page that exceeds the limit with UNAVAILABLE', async () => {
  const expired = new MongoServerError({ message: 'operation exceeded time limit', code: 50 });
  const hasNext = () => Promise.reject(expired);
  const cursor = { sort: () => cursor, limit: () => cursor, hasNext, close: async () => undefined };
  const collection = { find: () => cursor } as unknown as Collection<Document>;
  const budget = createReadBudget();
  const query = {
    collection,
    filter: {},
    order: { field: '_id', direction: 1, type: 'string' },
    limit: 1,
    budget,
  } as const;
  await expect(readKeysetTogether(query)).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
});

test('a page of one request does not wait for the commands of another request', async () => {
  const neverAnswered = { hasNext: () => new Promise<boolean>(() => undefined), close: async () => undefined };
  const empty = { sort: () => empty, limit: () => empty, hasNext: async () => false, close: async () => undefined };
  const collection = {
    collectionName: 'posts',
    aggregate: () => neverAnswered,
    find: () => empty,
  } as unknown as Collection<Document>;
  const order = { field: '_id', direction: 1, type: 'string' } as const;
  const read = (budget: ReadBudget, limit: number) =>
    readKeysetTogether({ collection, filter: {}, order, limit, budget });
  const large = createReadBudget();
  // More records than fit in one command.
  for (let page = 0; page < 8; page += 1) void read(large, 50);
  expect(await Promise.race([read(createReadBudget(), 1), pause(5_000, 'waits')])).toEqual([]);
});
