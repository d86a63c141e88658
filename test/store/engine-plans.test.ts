import fc from 'fast-check';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';

let engine: TestEngine;
let client: MongoClient;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 3, arbitrary: fc.constantFrom('', 'a', 'ab', 'b\u0000', 'é') },
  fc.constantFrom<unknown>(null, true, Number.NaN, 1.5, new Date(2), new ObjectId('000000000000000000000001'), {
    x: 1,
  }),
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.array(fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }), { maxLength: 2 }) },
);
const document = fc.record({ a: value, b: scalar, c: value }, { requiredKeys: [] });
const path = fc.constantFrom('a', 'b', 'c', 'a.x', 'a.y', 'c.x');
const direction = fc.constantFrom<1 | -1>(1, -1);
const key = fc.uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 3, selector: ([name]) => name });

const condition = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }).map((list) => ({ $in: list })) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), scalar).map(([op, v]) => ({ [op]: v })),
  },
  { weight: 2, arbitrary: fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })) },
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $elemMatch: { $gte: low, $lt: high } })),
  fc.tuple(scalar, scalar).map(([x, y]) => ({ $elemMatch: { x, y: { $gte: y } } })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc.constantFrom({ $regex: '^a' }, { $regex: '^ab?' }, { $ne: 1 }, { $type: 'number' }, { $size: 1 }, { $all: [1] }),
);
const simple = fc.tuple(path, condition).map(([name, test]) => ({ [name]: test }) as Document);
const filter = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(simple, { minLength: 1, maxLength: 3 }).map((list) => ({ $and: list }) as Document),
  },
  { weight: 1, arbitrary: fc.array(simple, { minLength: 1, maxLength: 3 }).map((list) => ({ $or: list }) as Document) },
  { weight: 1, arbitrary: fc.tuple(simple, simple, simple).map(([a, b, c]) => ({ ...a, $or: [b, c] }) as Document) },
);
const sort = fc.option(
  fc.uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 2, selector: ([name]) => name }),
);
const partial = fc.constantFrom<Document | undefined>(
  undefined,
  undefined,
  undefined,
  undefined,
  { b: { $gt: 1 } },
  { a: { $exists: true } },
  { b: { $in: [1, 2] } },
  { b: { $type: 'int' } },
  { b: { $lte: 2 } },
);

const idsOf = (documents: Document[]): string[] => documents.map(({ _id }) => String(_id));

describe('an index changes the cost of a query and never its answer', () => {
  it('for any documents, indexes, filters and sorts', async () => {
    let round = 0;
    let served = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1, maxLength: 25 }),
        fc.array(fc.record({ key, sparse: fc.constantFrom(false, false, true), partial }), {
          minLength: 3,
          maxLength: 6,
        }),
        fc.array(fc.tuple(fc.nat(24), document), { maxLength: 6 }),
        fc.array(fc.tuple(filter, sort), { minLength: 4, maxLength: 8 }),
        async (documents, indexes, replacements, queries) => {
          const collection = client.db('plans').collection<Document>(`c${round++}`);
          await collection.insertMany(documents.map((content, _id) => ({ _id, ...content })) as never);
          for (const [i, { key: fields, sparse, partial: expression }] of indexes.entries()) {
            const options = expression ? { partialFilterExpression: expression } : { sparse };
            // A document with arrays in two fields of an index cannot be indexed; the index is then missing.
            await collection.createIndex(fields, { ...options, name: `i${i}` }).catch(() => undefined);
          }
          for (const [_id, content] of replacements) {
            if (Object.keys(content).length === 0) await collection.deleteOne({ _id } as never);
            else await collection.replaceOne({ _id } as never, content).catch(() => undefined);
          }
          for (const [query, order] of queries) {
            const sorted = order ? [...order, ['_id', 1] as const] : undefined;
            const ask = async (more: Document): Promise<string[]> => {
              const cursor = collection.find(query, {
                ...(sorted && { sort: sorted as never }),
                ...more,
                batchSize: 3,
              });
              return cursor.toArray().then(idsOf, (error) => [`error ${error.code}`]);
            };
            const [scanned, planned] = [await ask({ hint: { $natural: 1 } }), await ask({})];
            if (!order) {
              scanned.sort();
              planned.sort();
            }
            const plan = await collection.find(query, sorted ? { sort: sorted as never } : {}).explain('queryPlanner');
            if (JSON.stringify(plan.queryPlanner).includes('IXSCAN')) served++;
            expect({ planned, plan: plan.queryPlanner.winningPlan }).toEqual({
              planned: scanned,
              plan: plan.queryPlanner.winningPlan,
            });
            if (!scanned[0]?.startsWith('error')) expect(await collection.countDocuments(query)).toBe(scanned.length);
          }
          const { valid, errors } = await client.db('plans').command({ validate: collection.collectionName });
          expect({ valid, errors }).toEqual({ valid: true, errors: [] });
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
    expect(served).toBeGreaterThan(60);
  });

  it('for values about as long as storage keys, before and after an index has a shortened key', async () => {
    const lengths = [1798, 1850, 1895, 1896, 1897, 1898, 1905];
    const texts = lengths.flatMap((length) => ['x'.repeat(length), `${'x'.repeat(length)}a`]);
    const stored = texts.map((k, n) => ({ _id: n, k, n }));
    const shortened = stored.filter(({ k }) => k.length > 1880);
    const collection = client.db('plans').collection<Document & { _id: number }>('long');
    const indexes = [{ k: 1 }, { k: 1, n: 1 }, { k: -1, n: 1 }] as const;
    for (const index of indexes) await collection.createIndex(index);
    for (const documents of [stored.filter((document) => !shortened.includes(document)), shortened]) {
      await collection.insertMany(documents);
      for (const query of texts.flatMap((k) =>
        ['$eq', '$gt', '$gte', '$lt', '$lte'].map((op) => ({ k: { [op]: k } })),
      )) {
        const found = async (hint: Document) => idsOf(await collection.find(query, { hint }).toArray()).sort();
        const scanned = await found({ $natural: 1 });
        for (const index of indexes) {
          expect(await found(index)).toEqual(scanned);
          expect(await collection.countDocuments(query, { hint: index })).toBe(scanned.length);
        }
      }
    }
  });

  it('for a deletion by a long value of the first field', async () => {
    const collection = client.db('plans').collection<Document & { _id: number }>('deletion');
    await collection.createIndex({ k: 1, n: 1 });
    const k = 'x'.repeat(1850);
    await collection.insertMany([k, `${k}a`, `${k.slice(0, -5)}other`].map((text, n) => ({ _id: n, k: text, n })));
    expect(await collection.deleteMany({ k })).toMatchObject({ deletedCount: 1 });
    expect(idsOf(await collection.find().toArray())).toEqual(['1', '2']);
  });
});
