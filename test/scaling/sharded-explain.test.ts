import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CollectionName } from '../../src/store/collections.ts';
import { SHARD_KEYS } from '../../src/store/shard-keys.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { HOT_COLLECTIONS } from '../support/sharded/distribute.ts';
import { collectQueries } from './collect.ts';
import { alternativesOf, type Query } from './queries.ts';
import { explain } from './reach.ts';
import { fieldsOf } from './shapes.ts';

interface Explained {
  collection: CollectionName;
  by: string;
  /** Names of the shards that the router sends the query to. */
  shards: string[];
  /** Whether the filter has more than one value of a field of the shard key. */
  hasSeveralValues: boolean;
  /** Whether a chunk of the collection begins inside the range of the filter. */
  containsSplit: boolean;
}

let gateway: TestGateway;
let explained: Explained[];
let documented: Map<string, 'its records' | 'one range' | 'all'>;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { queries } = await collectQueries(gateway);
  const splits = await readSplits();
  explained = [];
  for (const query of queries) {
    for (const filter of alternativesOf(query.filter)) explained.push(await explainQuery(query, filter, splits));
  }
  documented = readDocumented();
}, 3_000_000);
afterAll(() => gateway.close());

const isHot = (collection: CollectionName): boolean => HOT_COLLECTIONS.some((name) => name === collection);
const nameOf = ({ collection, by, shards }: Explained) => `${collection} by ${by}: ${shards}`;
const reaching = (reach: string) =>
  explained.filter(({ collection, by }) => documented.get(`${collection} by ${by}`) === reach);

test('docs/reference/sharding.md lists every query', () => {
  expect(explained.filter(({ collection, by }) => !documented.has(`${collection} by ${by}`)).map(nameOf)).toEqual([]);
});

test('a query for one record, or for records of one shard key, reaches one shard', () => {
  const single = reaching('its records').filter(({ hasSeveralValues }) => !hasSeveralValues);
  expect(single.length).toBeGreaterThan(80);
  expect(single.filter(({ shards }) => shards.length !== 1).map(nameOf)).toEqual([]);
});

test('a query for one range reaches one shard, or two if a chunk begins inside the range', () => {
  const ranges = reaching('one range').filter(({ hasSeveralValues }) => !hasSeveralValues);
  expect(ranges.length).toBeGreaterThan(20);
  expect(ranges.filter(({ shards, containsSplit }) => shards.length > (containsSplit ? 2 : 1)).map(nameOf)).toEqual([]);
});

test('a scattered query reaches both shards if the collection is on both', () => {
  const scattered = reaching('all');
  expect(scattered.filter(({ collection }) => isHot(collection)).length).toBeGreaterThan(30);
  expect(
    scattered.filter(({ collection, shards }) => shards.length !== (isHot(collection) ? 2 : 1)).map(nameOf),
  ).toEqual([]);
});

async function explainQuery({ collection }: Query, filter: Document, splits: Splits): Promise<Explained> {
  const plan = await explain(gateway.services.store.db, { find: collection, filter });
  const { shards } = plan.queryPlanner.winningPlan as { shards: Array<{ shardName: string }> };
  const fields = Object.keys(SHARD_KEYS[collection] ?? {});
  const values = fields.map((field) => valuesOf(filter, field));
  const prefix = values.slice(
    0,
    values.findIndex((one) => one.length === 0),
  );
  return {
    collection,
    by: fieldsOf(collection, filter),
    shards: shards.map(({ shardName }) => shardName).sort(),
    hasSeveralValues: values.some((one) => one.length > 1),
    containsSplit: (splits[collection] ?? []).some((split) =>
      prefix.every((one, place) => one[0] === split[fields[place]!]),
    ),
  };
}

/** The values that a filter compares a field with. */
function valuesOf(filter: Document, field: string): unknown[] {
  const parts = ((filter.$and ?? []) as Document[]).flatMap((one) => valuesOf(one, field));
  const condition = filter[field];
  if (typeof condition === 'string' || typeof condition === 'number') return [condition, ...parts];
  return [...(condition?.$in ?? (condition?.$eq === undefined ? [] : [condition.$eq])), ...parts];
}

/** Where chunks of each collection begin within the network. */
type Splits = Record<string, Document[]>;

async function readSplits(): Promise<Splits> {
  const { client, db } = gateway.services.store;
  const config = client.db('config');
  const prefix = `${db.databaseName}.`;
  const collections = await config
    .collection<{ _id: string; uuid: unknown }>('collections')
    .find({ _id: { $gt: prefix, $lt: `${prefix}\uffff` } })
    .toArray();
  const found = await Promise.all(
    collections.map(async ({ _id, uuid }): Promise<[string, Document[]]> => {
      const chunks = await config.collection('chunks').find({ uuid, 'min.networkId': 'default' }).toArray();
      return [_id.slice(prefix.length), chunks.map(({ min }) => min)];
    }),
  );
  return Object.fromEntries(found);
}

/** The reach of each query in the tables of docs/reference/sharding.md, by collection and filter. */
function readDocumented(): typeof documented {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'reference', 'sharding.md'), 'utf8');
  const rowsOf = (section: string) => {
    const [, text = ''] = page.split(new RegExp(`<!-- /?${section} -->`));
    return text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
  };
  return new Map([
    ...rowsOf('scattered').map(([collection, by]): [string, 'all'] => [`${collection} by ${by}`, 'all']),
    ...rowsOf('targeted').map(([collection, by, , reach]): [string, 'its records' | 'one range'] => [
      `${collection} by ${by}`,
      reach as 'its records' | 'one range',
    ]),
  ]);
}
