import { type Document, ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain, stagesOf } from '../scaling/reach.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const KEY = { network: 1, a: 1, b: -1 } as const;

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
  await store.db.collection('bounds').createIndex(KEY);
  await store.db.collection('bounds').insertOne({ network: 'n', a: 1, b: 2 });
});
afterAll(() => store.close());

const id = new ObjectId('0000000000000000000000a1');

/** The bounds that MongoDB 7.0 reports, forward and backward. */
const CASES: Array<[filter: Document, a: string[], b: string[], backwardA: string[]]> = [
  [{ a: 'x' }, ['["x", "x"]'], ['[MaxKey, MinKey]'], ['["x", "x"]']],
  [{ a: { $in: ['z', 'x', 'z'] } }, ['["x", "x"]', '["z", "z"]'], ['[MaxKey, MinKey]'], ['["z", "z"]', '["x", "x"]']],
  [{ a: 5, b: { $gt: 5 } }, ['[5, 5]'], ['[inf.0, 5)'], ['[5, 5]']],
  [{ a: true, b: { $gte: 1, $lt: 3 } }, ['[true, true]'], ['(3, 1]'], ['[true, true]']],
  [{ a: { $lt: 's' } }, ['["", "s")'], ['[MaxKey, MinKey]'], ['("s", ""]']],
  [{ a: { $gte: 's' } }, ['["s", {})'], ['[MaxKey, MinKey]'], ['({}, "s"]']],
  [
    { a: { $gt: new Date(5) } },
    ['(new Date(5), new Date(9223372036854775807)]'],
    ['[MaxKey, MinKey]'],
    ['[new Date(9223372036854775807), new Date(5))'],
  ],
  [
    { a: { $lte: id } },
    [`[ObjectId('${'0'.repeat(24)}'), ObjectId('${id.toHexString()}')]`],
    ['[MaxKey, MinKey]'],
    [`[ObjectId('${id.toHexString()}'), ObjectId('${'0'.repeat(24)}')]`],
  ],
  [
    { a: null },
    ['[undefined, undefined]', '[null, null]'],
    ['[MaxKey, MinKey]'],
    ['[null, null]', '[undefined, undefined]'],
  ],
  [
    { a: { x: 1, y: 'q' } },
    ['[{ x: 1, y: "q" }, { x: 1, y: "q" }]'],
    ['[MaxKey, MinKey]'],
    ['[{ x: 1, y: "q" }, { x: 1, y: "q" }]'],
  ],
  [{}, ['[MinKey, MaxKey]'], ['[MaxKey, MinKey]'], ['[MaxKey, MinKey]']],
];

test.each(CASES)('explain reports the index bounds of %j', async (filter, a, b, backwardA) => {
  const boundsOf = async (sort?: Document): Promise<Document> => {
    const find = { find: 'bounds', filter: { network: 'n', ...filter }, hint: KEY, ...(sort && { sort }) };
    return stagesOf(await explain(store.db, find)).find((stage) => stage.indexBounds)!.indexBounds;
  };
  expect(await boundsOf()).toEqual({ network: ['["n", "n"]'], a, b });
  expect((await boundsOf({ network: -1, a: -1, b: 1 })).a).toEqual(backwardA);
});
