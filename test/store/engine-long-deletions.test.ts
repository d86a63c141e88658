import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';

interface Item {
  _id: number;
  kind: string;
}

/** Many pieces of a deletion. */
const COUNT = 4_000;

let engine: TestEngine;
let client: MongoClient;
let items: Collection<Item>;
let round = 0;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri, { maxPoolSize: 20 });
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(async () => {
  items = client.db('deletions').collection(`items${round++}`);
  await items.insertMany(Array.from({ length: COUNT }, (_, _id) => ({ _id, kind: 'old' })));
});

/** What had happened to others when the deletion of everything old was over. */
async function during(work: () => Promise<unknown>): Promise<{ deletedCount: number; wasFirst: boolean }> {
  let wasFirst = false;
  const deletion = items.deleteMany({ kind: 'old' });
  const other = work().then(() => {
    wasFirst = true;
  });
  const { deletedCount } = await deletion;
  const result = { deletedCount, wasFirst };
  await other;
  return result;
}

describe('a long deletion lets others write', () => {
  it('and counts what it deleted in all its pieces', async () => {
    const { deletedCount, wasFirst } = await during(() => items.insertOne({ _id: COUNT, kind: 'new' }));
    expect({ deletedCount, wasFirst }).toEqual({ deletedCount: COUNT, wasFirst: true });
    expect(await items.find().toArray()).toEqual([{ _id: COUNT, kind: 'new' }]);
  });

  it('and spares what is no longer meant when its turn comes', async () => {
    const last = COUNT - 1;
    const { deletedCount } = await during(() => items.updateOne({ _id: last }, { $set: { kind: 'kept' } }));
    expect(deletedCount).toBe(COUNT - 1);
    expect(await items.find().toArray()).toEqual([{ _id: last, kind: 'kept' }]);
  });

  it('and leaves alone what takes the place of a collection that was dropped', async () => {
    const { deletedCount } = await during(async () => {
      await items.drop();
      await items.insertMany(Array.from({ length: COUNT }, (_, _id) => ({ _id, kind: 'old' })));
    });
    expect(deletedCount).toBeLessThan(COUNT);
    expect(await items.countDocuments()).toBe(COUNT);
  });

  it('but not within a transaction, which is whole', async () => {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        expect((await items.deleteMany({ kind: 'old' }, { session })).deletedCount).toBe(COUNT);
        expect(await items.countDocuments({})).toBe(COUNT);
      }),
    );
    expect(await items.countDocuments({})).toBe(0);
  });
});
