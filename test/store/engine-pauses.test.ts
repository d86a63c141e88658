import { type Collection, type Document, MongoClient, type MongoServerError } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine-support.ts';
import { connectRaw } from './raw-client.ts';

interface Item {
  _id: number;
  text: string;
  rank: number;
}

/** Enough that a scan takes many time slices. */
const COUNT = 15_000;
/** No index serves this filter, and only the last documents match. */
const RARE = { text: { $regex: `\\bz{3}\\b$` } };

let engine: TestEngine;
let client: MongoClient;
let items: Collection<Item>;

beforeAll(async () => {
  engine = await startEngine({ refuseUnindexed: false });
  client = await MongoClient.connect(engine.uri, { maxPoolSize: 20 });
  items = client.db('pauses').collection('items');
  for (let from = 0; from < COUNT; from += 5000) {
    const some = Array.from({ length: 5000 }, (_, i) => itemOf(from + i));
    await items.insertMany(some);
  }
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

const itemOf = (_id: number): Item => ({
  _id,
  text: `${'lorem ipsum '.repeat(40)}${_id >= COUNT - 3 ? 'zzz' : 'end'}`,
  rank: (_id * 37) % 1001,
});

/** Counts the pings answered while the work is in progress. */
async function pingsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  let pings = 0;
  while (!isOver) {
    await client.db('admin').command({ ping: 1 });
    if (!isOver) pings++;
  }
  await done;
  return pings;
}

describe('a long read lets other commands proceed:', () => {
  const reads: [string, () => Promise<unknown>, unknown][] = [
    ['find', () => ids(items.find(RARE).toArray()), [COUNT - 3, COUNT - 2, COUNT - 1]],
    ['find with skip and limit', () => ids(items.find(RARE).skip(1).limit(1).toArray()), [COUNT - 2]],
    ['find with a sort', () => ids(items.find(RARE).sort({ rank: -1 }).limit(2).toArray()), byRank().slice(0, 2)],
    ['count', () => items.count(RARE), 3],
    ['countDocuments', () => items.countDocuments(RARE), 3],
    ['distinct', () => items.distinct('_id', RARE), [COUNT - 3, COUNT - 2, COUNT - 1]],
    ['a pipeline that only filters', () => ids(items.aggregate<Item>([{ $match: RARE }]).toArray()), byId()],
  ];
  it.each(reads)('%s', async (_, read, expected) => {
    let seen: unknown;
    const pings = await pingsDuring(
      read().then((result) => {
        seen = result;
      }),
    );
    expect(seen).toEqual(expected);
    expect(pings).toBeGreaterThan(1);
  });
});

async function ids(found: Promise<Item[]>): Promise<number[]> {
  return (await found).map(({ _id }) => _id);
}

function byId(): number[] {
  return [COUNT - 3, COUNT - 2, COUNT - 1];
}

function byRank(): number[] {
  return byId().sort((a, b) => itemOf(b).rank - itemOf(a).rank);
}

describe('a cursor whose batch takes long', () => {
  let id: Document;
  beforeEach(async () => {
    const { cursor } = await client.db('pauses').command({
      find: 'items',
      filter: { $or: [{ _id: 0 }, RARE] },
      hint: { $natural: 1 },
      batchSize: 1,
    });
    expect(cursor.firstBatch.map(({ _id }: Item) => _id)).toEqual([0]);
    id = cursor.id;
  });
  const more = (): Promise<number[] | number> =>
    client
      .db('pauses')
      .command({ getMore: id, collection: 'items' })
      .then(
        ({ cursor }) => cursor.nextBatch.map(({ _id }: Item) => _id),
        ({ code }: MongoServerError) => Number(code),
      );

  it('serves one reader at a time', async () => {
    const answers = await Promise.all([more(), more()]);
    expect(answers).toContainEqual(byId());
    expect(answers).toContainEqual(143);
  });

  it('can be killed during a batch', async () => {
    const batch = more();
    await client.db('pauses').command({ killCursors: 'items', cursors: [id] });
    expect(await batch).toBe(237);
    expect(await more()).toBe(43);
  });
});

it('a paused read ends with error 175 when its collection is dropped', async () => {
  const dropped = client.db('pauses').collection<Item>('dropped');
  for (let from = 0; from < COUNT; from += 5000) {
    await dropped.insertMany(Array.from({ length: 5000 }, (_, i) => itemOf(from + i)));
  }
  const [reader, other] = [connectRaw(engine.uri), connectRaw(engine.uri)];
  const read = reader.command('pauses', { find: 'dropped', filter: RARE });
  // The second ping is sent after the reply to the first, so the read has started and is paused.
  for (let ping = 0; ping < 2; ping++) await other.command('admin', { ping: 1 });
  await other.command('pauses', { drop: 'dropped' });
  expect(Number((await read).code)).toBe(175);
  reader.close();
  other.close();
});
