import fc from 'fast-check';
import { type Collection, type Document, MongoClient, type MongoServerError } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGarbage } from '../../src/embedded/storage/garbage.ts';
import { openStorage } from '../../src/embedded/storage/storage.ts';
import { startEngine, type TestEngine } from './engine-support.ts';

type Row = Document & { _id: number };

/** Enough that a build takes many time slices. */
const MANY = 20_000;

let engine: TestEngine;
let client: MongoClient;
let rows: Collection<Row>;
let round = 0;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});
beforeEach(() => {
  rows = client.db('builds').collection<Row>(`c${round++}`);
});

const rowOf = (_id: number): Row => ({ _id, n: _id, group: _id % 50, tags: [_id % 7, _id % 11] });

/** `into` is fixed at the call: a test that has timed out keeps filling its own collection, not the next test's. */
async function fillRows(count = MANY, into = rows): Promise<void> {
  for (let from = 0; from < count; from += 4000) {
    await into.insertMany(Array.from({ length: Math.min(4000, count - from) }, (_, i) => rowOf(from + i)));
  }
}

const names = async (): Promise<string[]> => (await rows.indexes()).map(({ name }) => name!);
const validate = (): Promise<Document> => client.db('builds').command({ validate: rows.collectionName });

interface Build {
  isOver: boolean;
  result: Promise<Document | MongoServerError>;
}

/** Starts an index build; resolves once it has started or ended. */
async function startBuild(indexes: Document[], on = rows): Promise<Build> {
  const command = { createIndexes: on.collectionName, indexes };
  const build: Build = {
    isOver: false,
    result: client
      .db(on.dbName)
      .command(command)
      .catch((error: MongoServerError) => error)
      .finally(() => {
        build.isOver = true;
      }),
  };
  while (!build.isOver && (await on.indexes()).length === 1) await new Promise((done) => setTimeout(done, 1));
  return build;
}

const byN = { key: { n: 1 }, name: 'n' };
const byGroup = { key: { group: 1, n: -1 }, name: 'group' };
const byTag = { key: { tags: 1 }, name: 'tag' };

describe('an index that is being built', () => {
  it('lets others read and write, and serves no query before it is complete', async () => {
    const own = rows;
    await fillRows();
    const build = await startBuild([byN, byGroup, byTag], own);
    const stages: string[] = [];
    let writes = 0;
    while (!build.isOver) {
      await own.insertOne(rowOf(MANY + writes));
      await own.updateOne({ _id: writes }, { $set: { group: 77, tags: [99, writes] } });
      await own.deleteOne({ _id: MANY - 1 - writes });
      writes++;
      const { queryPlanner } = await own.find({ group: 77 }).explain('queryPlanner');
      stages.push(queryPlanner.winningPlan.stage);
      expect(await own.find({ group: 77 }).toArray()).toHaveLength(writes);
    }
    expect(await build.result).toMatchObject({ numIndexesBefore: 1, numIndexesAfter: 4, ok: 1 });
    expect(stages.slice(0, 3)).toEqual(['COLLSCAN', 'COLLSCAN', 'COLLSCAN']);
    const { queryPlanner } = await own.find({ group: 77 }).explain('queryPlanner');
    expect(queryPlanner.winningPlan.inputStage).toMatchObject({ stage: 'IXSCAN', indexName: 'group' });
    expect(await own.countDocuments({ group: 77 })).toBe(writes);
    expect(await own.countDocuments({ tags: 99 })).toBe(writes);
    expect(await own.countDocuments({ n: { $gte: 0 } })).toBe(MANY);
    expect(await validate()).toMatchObject({ valid: true, errors: [] });
  });

  it('is listed by listIndexes, and cannot be used as a hint or changed', async () => {
    await fillRows();
    const build = await startBuild([{ ...byN, expireAfterSeconds: 5 }]);
    expect(await names()).toEqual(['_id_', 'n']);
    await expect(rows.find({ n: 1 }).hint('n').toArray()).rejects.toMatchObject({ code: 2 });
    const change = { collMod: rows.collectionName, index: { name: 'n', expireAfterSeconds: 7 } };
    await expect(client.db('builds').command(change)).rejects.toMatchObject({ code: 12587 });
    await expect(rows.createIndex({ other: 1 }, { name: 'n' })).rejects.toMatchObject({ code: 86 });
    await expect(rows.createIndex({ n: 1 }, { name: 'other' })).rejects.toMatchObject({ code: 85 });
    expect(build.isOver).toBe(false);
    expect(await build.result).toMatchObject({ ok: 1 });
  });

  it('is built once, and awaited by all who request it', async () => {
    await fillRows();
    const build = await startBuild([byN]);
    const again = await client.db('builds').command({ createIndexes: rows.collectionName, indexes: [byN] });
    expect(build.isOver).toBe(true);
    expect(again).toMatchObject({ numIndexesBefore: 2, numIndexesAfter: 2, note: 'all indexes already exist' });
    expect(await build.result).toMatchObject({ numIndexesBefore: 1, numIndexesAfter: 2 });
  });

  it('matches the documents after any concurrent writes and transactions', async () => {
    const step = fc.record({
      kind: fc.constantFrom('insert', 'update', 'delete', 'replace', 'transaction', 'many'),
      id: fc.integer({ min: 0, max: MANY + 500 }),
      value: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
        rows = client.db('builds').collection<Row>(`c${round++}`);
        await fillRows(MANY / 2);
        const build = await startBuild([
          byTag,
          byN,
          { key: { tags: 1 }, name: 'part', partialFilterExpression: { n: { $gt: 9 } } },
        ]);
        await Promise.all(
          [0, 1, 2].map((part) =>
            writeSteps(
              rows,
              steps.filter((_, i) => i % 3 === part),
            ),
          ),
        );
        expect(await build.result).toMatchObject({ ok: 1 });
        expect(await validate()).toMatchObject({ valid: true, errors: [] });
        for (const tags of [0, 3, 9, 20]) {
          const [found, scanned] = await Promise.all(
            ['tag', { $natural: 1 }].map((hint) =>
              rows
                .find({ tags })
                .hint(hint as Document)
                .sort({ _id: 1 })
                .toArray(),
            ),
          );
          expect(found).toEqual(scanned);
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});

interface Step {
  kind: string;
  id: number;
  value: number | number[];
}

async function writeSteps(into: Collection<Row>, steps: readonly Step[]): Promise<void> {
  for (const { kind, id, value } of steps) {
    if (kind === 'insert') await into.insertOne({ ...rowOf(id), tags: value }).catch(ignoreDuplicate);
    else if (kind === 'update') await into.updateOne({ _id: id }, { $set: { tags: value, n: id % 13 } });
    else if (kind === 'delete') await into.deleteOne({ _id: id });
    else if (kind === 'replace')
      await into.replaceOne({ _id: id }, { tags: value } as Document as Row, { upsert: true });
    else if (kind === 'many') await into.updateMany({ _id: { $gt: id, $lt: id + 40 } }, { $set: { tags: value } });
    else {
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await into.updateOne({ _id: id }, { $set: { tags: value } }, { session });
          await into.deleteOne({ _id: id + 1 }, { session });
          await into.updateOne({ _id: id + 2 }, { $set: { n: 1 } }, { session, upsert: true });
        }),
      );
    }
  }
}

function ignoreDuplicate(error: MongoServerError): void {
  if (error.code !== 11000) throw error;
}

describe('a unique index that is being built', () => {
  const unique = { ...byN, unique: true };

  it('is removed when two records have the same key at the end', async () => {
    await fillRows();
    const build = await startBuild([unique, byGroup]);
    await rows.insertOne({ _id: -1, n: 5 });
    expect(await build.result).toMatchObject({ code: 11000, keyPattern: { n: 1 }, keyValue: { n: 5 } });
    expect(await names()).toEqual(['_id_']);
    await rows.insertOne({ _id: -2, n: 5 });
    expect(await validate()).toMatchObject({ valid: true, keysPerIndex: { _id_: MANY + 2 } });
  });

  it('tolerates a duplicate key that existed only during the build', async () => {
    await fillRows();
    await rows.insertOne({ _id: -1, n: 5 });
    const build = await startBuild([unique]);
    await rows.insertOne({ _id: -2, n: MANY - 1 });
    await rows.deleteMany({ _id: { $lt: 0 } });
    expect(build.isOver).toBe(false);
    expect(await build.result).toMatchObject({ numIndexesAfter: 2 });
    await expect(rows.insertOne({ _id: -3, n: 5 })).rejects.toMatchObject({ code: 11000 });
  });

  it('is complete without duplicate keys, or removed, after any concurrent writes', async () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: MANY }),
      n: fc.integer({ min: MANY - 60, max: MANY + 60 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), fc.boolean(), async (steps, isMended) => {
        rows = client.db('builds').collection<Row>(`c${round++}`);
        await fillRows();
        const build = await startBuild([unique]);
        await Promise.all(
          steps.map(({ id, n }) => rows.updateOne({ _id: id }, { $set: { n } }).catch(ignoreDuplicate)),
        );
        if (isMended) {
          for (const { id } of steps) await rows.updateOne({ _id: id }, { $set: { n: id } }).catch(ignoreDuplicate);
        }
        const result = (await build.result) as { code?: number };
        expect([undefined, 11000]).toContain(result.code);
        expect(await names()).toEqual(result.code ? ['_id_'] : ['_id_', 'n']);
        expect(await validate()).toMatchObject({ valid: true, errors: [] });
        if (!result.code) {
          const [twice] = await rows.aggregate([{ $sortByCount: '$n' }, { $limit: 1 }]).toArray();
          expect(twice?.count).toBe(1);
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('makes a transaction retry that wrote one of its keys before the build ended', async () => {
    await fillRows();
    const session = client.startSession();
    session.startTransaction();
    await rows.insertOne({ _id: -1, n: 5 }, { session });
    await rows.createIndex(unique.key, unique);
    await expect(session.commitTransaction()).rejects.toMatchObject({
      code: 112,
      errorLabels: ['TransientTransactionError'],
    });
    session.startTransaction();
    await expect(rows.insertOne({ _id: -1, n: 5 }, { session })).rejects.toMatchObject({ code: 11000 });
    await session.endSession();
    expect(await validate()).toMatchObject({ valid: true });
  });
});

describe('a transaction', () => {
  it('does not read an index that was incomplete when it began', async () => {
    await fillRows();
    const session = client.startSession();
    session.startTransaction();
    await rows.findOne({ _id: 1 }, { session });
    const build = await startBuild([byGroup]);
    await rows.updateOne({ _id: 0 }, { $set: { group: 77 } });
    expect(await build.result).toMatchObject({ ok: 1 });
    expect(await rows.countDocuments({ group: 0 }, { session })).toBe(MANY / 50);
    expect(await rows.countDocuments({ group: 77 }, { session })).toBe(0);
    await expect(rows.find({ group: 0 }, { session }).hint('group').toArray()).rejects.toMatchObject({ code: 2 });
    await session.endSession();
    expect(await rows.countDocuments({ group: 0 })).toBe(MANY / 50 - 1);
  });
});

describe('dropping', () => {
  it.each([
    ['the collection', () => rows.drop()],
    ['the database', () => client.db(rows.dbName).dropDatabase()],
    ['the index by its name', () => rows.dropIndex('n')],
    ['all indexes', () => rows.dropIndexes()],
  ])('%s ends the build with error 276', async (_, drop) => {
    rows = client.db(`builds${round}`).collection<Row>('c');
    await fillRows();
    const build = await startBuild([byN]);
    await drop();
    expect(await build.result).toMatchObject({ code: 276, codeName: 'IndexBuildAborted' });
    await rows.insertOne({ _id: -1 });
    expect(await names()).toEqual(['_id_']);
  });

  it('one index of an unfinished createIndexes command is rejected, dropping all is not', async () => {
    await fillRows();
    const build = await startBuild([byN, byGroup]);
    await expect(rows.dropIndex('n')).rejects.toMatchObject({ code: 27 });
    await client.db('builds').command({ dropIndexes: rows.collectionName, index: ['n', 'group'] });
    expect(await build.result).toMatchObject({ code: 276 });
  });

  it('ends scans that are in progress', async () => {
    await fillRows(1000);
    await rows.createIndex(byN.key, byN);
    const byIndex = rows
      .find({ n: { $gte: 0 } })
      .hint('n')
      .batchSize(10);
    const plain = rows.find().batchSize(10);
    await Promise.all([byIndex.next(), plain.next()]);
    await rows.dropIndex('n');
    await expect(byIndex.toArray()).rejects.toMatchObject({ code: 175, codeName: 'QueryPlanKilled' });
    await rows.drop();
    await rows.insertOne(rowOf(1));
    await expect(plain.toArray()).rejects.toMatchObject({ code: 175 });
  });
});

/** Reads the tables of a stopped store: all index entries, all records, and the registered garbage. */
async function contents(folder: string): Promise<{ entries: number; records: number; garbage: number }> {
  const storage = openStorage({ folder, isMemory: true });
  const all = { start: Buffer.from([0]), end: Buffer.from([0xff]) };
  const garbage = createGarbage(storage).list().length;
  const entries = storage.countEntries(all).count;
  let records = 0;
  for (let id = 0; id < 100; id++) records += storage.countRecords(id);
  await storage.close();
  return { entries, records, garbage };
}

/** Starts the store until it has removed all garbage. */
async function removeGarbage(folder: string): Promise<void> {
  while ((await contents(folder)).garbage > 0) {
    const cleaning = await startEngine({ folder });
    await new Promise((done) => setTimeout(done, 300));
    await cleaning.stop();
  }
}

describe('a crash', () => {
  it('during a build leaves neither the index nor its entries', async () => {
    let crashed = await startEngine();
    const { folder } = crashed;
    let here = await MongoClient.connect(crashed.uri);
    rows = here.db('builds').collection<Row>('crash');
    await fillRows();
    const build = here.db('builds').command({ createIndexes: 'crash', indexes: [byN, byTag] });
    const ended = expect(build).rejects.toThrow();
    while ((await rows.indexes()).length === 1) await new Promise((done) => setTimeout(done, 1));
    await rows.insertOne(rowOf(MANY));
    await crashed.kill();
    await here.close();
    await ended;

    expect(await contents(folder)).toMatchObject({ garbage: 2 });
    crashed = await startEngine({ folder });
    here = await MongoClient.connect(crashed.uri);
    rows = here.db('builds').collection<Row>('crash');
    expect(await names()).toEqual(['_id_']);
    const { n } = (await rows.findOne({ _id: MANY }))!;
    expect(n).toBe(MANY);
    await rows.createIndex(byGroup.key, byGroup);
    expect(await here.db('builds').command({ validate: 'crash' })).toMatchObject({ valid: true });
    await here.close();
    // The next start would remove anything that is left.
    await crashed.stop();
    await removeGarbage(folder);
    expect(await contents(folder)).toEqual({ entries: 2 * (MANY + 1), records: MANY + 1, garbage: 0 });
    await (await startEngine({ folder })).close();
  });

  it('after a collection was dropped leaves no data of it', async () => {
    let here = await startEngine();
    const { folder } = here;
    let there = await MongoClient.connect(here.uri);
    rows = there.db('builds').collection<Row>('dropped');
    await fillRows();
    await rows.createIndex(byTag.key, byTag);
    await rows.drop();
    await rows.insertOne(rowOf(1));
    await here.kill();
    await there.close();
    here = await startEngine({ folder });
    there = await MongoClient.connect(here.uri);
    expect(await there.db('builds').collection('dropped').countDocuments()).toBe(1);
    await there.close();
    await here.stop();
    await removeGarbage(folder);
    expect(await contents(folder)).toEqual({ entries: 1, records: 1, garbage: 0 });
    await (await startEngine({ folder })).close();
  });
});
