import { parse } from 'graphql';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import type { CollectionName } from '../../src/store/collections.ts';
import { SHARD_KEYS, shardedCollections } from '../../src/store/shard-keys.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Collected, collectQueries } from './collect.ts';
import type { Query } from './queries.ts';
import { reachOf } from './reach.ts';
import { SCATTERED, SCATTERED_WRITES, SORTED } from './scattered.ts';
import { type Shape, shapesOf } from './shapes.ts';
import { generatedSection, scatteredTable, targetedTable } from './tables.ts';

let gateway: TestGateway;
let collected: Collected;
let shapes: Shape[];
beforeAll(async () => {
  gateway = await startTestGateway();
  collected = await collectQueries(gateway);
  shapes = await shapesOf(gateway.services.store.db, collected.queries);
}, 600_000);
afterAll(() => gateway.close());

const named = (some: Shape[]) => some.map(({ collection, by }) => `${collection} by ${by}`);
const reasons = (table: typeof SCATTERED) =>
  Object.entries(table).flatMap(([collection, shapesOfIt]) =>
    Object.keys(shapesOfIt).map((by) => `${collection} by ${by}`),
  );
const fieldsOf = (collection: string) => Object.keys(SHARD_KEYS[collection as CollectionName] ?? {});

test('every field of Query and Mutation is executed', () => {
  const executed = new Set(collected.documents.flatMap(rootFieldsOf));
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.keys(type.getFields()));
  expect(fields.filter((field) => !executed.has(field))).toEqual([]);
});

test('no query reads a collection without an index', () => {
  expect(named(shapes.filter((shape) => shape.scans))).toEqual([]);
});

test('queries that sort in memory are listed with a reason', () => {
  expect(reasons(SORTED)).toEqual(expect.arrayContaining(named(shapes.filter((shape) => shape.sorts))));
});

test('no query reaches the shards of all networks', () => {
  expect(named(shapes.filter(({ reach }) => reach === 'all'))).toEqual([]);
});

test('queries that reach all shards of a network are listed with a reason', () => {
  expect(named(shapes.filter(({ reach }) => reach === 'network')).sort()).toEqual(reasons(SCATTERED).sort());
});

test('upserts contain the complete shard key', () => {
  const upserts = shapes.filter((shape) => shape.upserts);
  expect(upserts.length).toBeGreaterThan(3);
  expect(named(upserts.filter(({ reach }) => reach !== 'one'))).toEqual([]);
});

test('writes reach only the shards of their records, except a few rare ones', () => {
  const writes = shapes.filter(({ verbs }) =>
    ['update', 'delete', 'findAndModify'].some((verb) => verbs.has(verb as never)),
  );
  expect(named(writes.filter(({ reach }) => reach === 'network')).sort()).toEqual([...SCATTERED_WRITES].sort());
});

test('a write of one record names its complete shard key or its _id: a router rejects any other', async () => {
  const { db } = gateway.services.store;
  const single = collected.queries.filter(isOfOneRecord);
  expect(single.length).toBeGreaterThan(80);
  const rejected = await Promise.all(
    single.map(async ({ collection, filter, verb }) =>
      '_id' in filter || (await reachOf(db, collection, filter)) === 'one'
        ? []
        : [`${collection} ${verb} ${Object.keys(filter)}`],
    ),
  );
  expect(rejected.flat()).toEqual([]);
});

test('no update moves a record to another shard', () => {
  for (const { collection, update, verb } of collected.queries) {
    const fields = fieldsOf(collection);
    expect(
      writtenBy(update).filter((field) => fields.includes(field)),
      `${collection} ${verb}`,
    ).toEqual([]);
  }
});

test('every record has one value for each field of its shard key', async () => {
  const { db } = gateway.services.store;
  for (const [collection, key] of shardedCollections()) {
    const records = await db.collection(collection).find({ networkId: 'default' }).toArray();
    const inserted = collected.inserts.filter((one) => one.collection === collection).map(({ document }) => document);
    expect(records.length, collection).toBeGreaterThan(0);
    for (const record of [...records, ...inserted]) {
      for (const field of Object.keys(key)) {
        expect(['string', 'number'], `${collection}.${field}`).toContain(typeof record[field]);
      }
    }
  }
});

test('docs/reference/sharding.md lists the reach of each query (npm run generate:scaling)', () => {
  const [targeted, scattered] = [targetedTable(shapes), scatteredTable(shapes)];
  expect(generatedSection('targeted', targeted)).toBe(targeted);
  expect(generatedSection('scattered', scattered)).toBe(scattered);
});

/** Whether a command changes at most one record, whichever matches. */
function isOfOneRecord({ verb, explainable }: Query): boolean {
  if (verb === 'update') return !explainable.updates[0].multi;
  if (verb === 'delete') return explainable.deletes[0].limit === 1;
  return verb === 'findAndModify';
}

/** The fields that an update changes in an existing record. */
function writtenBy(update: Document | Document[] | undefined): string[] {
  if (update === undefined || Array.isArray(update)) return [];
  return Object.entries(update).flatMap(([operator, fields]) =>
    operator.startsWith('$') && operator !== '$setOnInsert' ? Object.keys(fields as Document) : [],
  );
}

function rootFieldsOf(source: string): string[] {
  return parse(source).definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition'
      ? definition.selectionSet.selections.flatMap((one) => (one.kind === 'Field' ? [one.name.value] : []))
      : [],
  );
}
