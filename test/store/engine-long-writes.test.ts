import { type Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';

interface Item {
  _id: number;
  kind: string;
  n: number;
}

/** Enough documents that a write takes many steps. */
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

const rows = (): Item[] => Array.from({ length: COUNT }, (_, _id) => ({ _id, kind: 'old', n: 0 }));

beforeEach(async () => {
  items = client.db('long').collection(`items${round++}`);
  await items.insertMany(rows());
});

/** What other clients had done by the time a write of all old documents ended. */
async function during<Result>(
  write: Promise<Result>,
  work: () => Promise<unknown>,
): Promise<{ result: Result; wasFirst: boolean }> {
  let wasFirst = false;
  const other = work().then(() => {
    wasFirst = true;
  });
  const ended = { result: await write, wasFirst };
  await other;
  return ended;
}

const increment = () => items.updateMany({ kind: 'old' }, { $inc: { n: 1 } });
const remove = () => items.deleteMany({ kind: 'old' });
const countOf = (n: number): Promise<number> => items.countDocuments({ n });

describe('a long update lets other clients write,', () => {
  it('and changes each document once, although it still matches', async () => {
    await items.createIndex({ n: 1 });
    const { result, wasFirst } = await during(increment(), () => items.insertOne({ _id: COUNT, kind: 'new', n: 0 }));
    expect({ modifiedCount: result.modifiedCount, wasFirst }).toEqual({ modifiedCount: COUNT, wasFirst: true });
    expect([await countOf(1), await countOf(0)]).toEqual([COUNT, 1]);
  });

  it('and skips documents that no longer match when their turn comes', async () => {
    const { result } = await during(increment(), () => items.updateOne({ _id: COUNT - 1 }, { $set: { kind: 'kept' } }));
    expect([result.modifiedCount, await countOf(1)]).toEqual([COUNT - 1, COUNT - 1]);
  });

  it('and waits for a transaction without changing anything twice', async () => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await items.updateOne({ _id: COUNT - 500 }, { $inc: { n: 1 } }, { session });
      const { result } = await during(increment(), async () => {
        await expect.poll(() => countOf(1), { timeout: 30_000 }).toBeGreaterThan(COUNT / 2);
        await session.commitTransaction();
      });
      expect(result.modifiedCount).toBe(COUNT);
    });
    expect([await countOf(1), await countOf(2)]).toEqual([COUNT - 1, 1]);
  });

  it('and leaves a collection alone that replaces a dropped one', async () => {
    const { result } = await during(increment(), async () => {
      await items.drop();
      await items.insertMany(rows());
    });
    expect(result.modifiedCount).toBeLessThan(COUNT);
    expect(await countOf(0)).toBe(COUNT);
  });

  it('and continues with the following statements, each once', async () => {
    const set = { updateMany: { filter: {}, update: { $inc: { n: 1 } } } };
    const one = { updateOne: { filter: { _id: 7 }, update: { $inc: { n: 10 } } } };
    expect(await items.bulkWrite([one, set, one])).toMatchObject({ matchedCount: COUNT + 2, modifiedCount: COUNT + 2 });
    expect([await countOf(1), await countOf(21)]).toEqual([COUNT - 1, 1]);
  });

  it('and keeps the changes made before an error', async () => {
    await items.createIndex({ n: 1, kind: 1 }, { unique: true, partialFilterExpression: { n: { $gt: 0 } } });
    await items.insertOne({ _id: COUNT, kind: '', n: 3_000 });
    const update = items.updateMany({ kind: 'old' }, [{ $set: { n: '$_id', kind: '' } }]);
    await expect(update).rejects.toMatchObject({ code: 11000 });
    expect(await items.countDocuments({ kind: '', n: { $lt: 3_000 } })).toBe(3_000);
    expect(await items.countDocuments({ kind: 'old' })).toBe(COUNT - 3_000);
  });

  it('but is isolated within a transaction', async () => {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        const { modifiedCount } = await items.updateMany({}, { $inc: { n: 1 } }, { session });
        expect([modifiedCount, await countOf(1)]).toEqual([COUNT, 0]);
      }),
    );
    expect(await countOf(1)).toBe(COUNT);
  });
});

describe('a long deletion lets other clients write,', () => {
  it('and counts the documents deleted in all its steps', async () => {
    const { result, wasFirst } = await during(remove(), () => items.insertOne({ _id: COUNT, kind: 'new', n: 0 }));
    expect({ deletedCount: result.deletedCount, wasFirst }).toEqual({ deletedCount: COUNT, wasFirst: true });
    expect(await items.find().toArray()).toEqual([{ _id: COUNT, kind: 'new', n: 0 }]);
  });

  it('and skips documents that no longer match when their turn comes', async () => {
    const last = COUNT - 1;
    const { result } = await during(remove(), () => items.updateOne({ _id: last }, { $set: { kind: 'kept' } }));
    expect(result.deletedCount).toBe(COUNT - 1);
    expect(await items.find().toArray()).toEqual([{ _id: last, kind: 'kept', n: 0 }]);
  });

  it('and leaves a collection alone that replaces a dropped one', async () => {
    const { result } = await during(remove(), async () => {
      await items.drop();
      await items.insertMany(rows());
    });
    expect(result.deletedCount).toBeLessThan(COUNT);
    expect(await items.countDocuments()).toBe(COUNT);
  });

  it('but is isolated within a transaction', async () => {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        expect((await items.deleteMany({ kind: 'old' }, { session })).deletedCount).toBe(COUNT);
        expect(await items.countDocuments({})).toBe(COUNT);
      }),
    );
    expect(await items.countDocuments({})).toBe(0);
  });
});
