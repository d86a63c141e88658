import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, type Document } from 'bson';
import { startEmbeddedStore } from '../../src/embedded/index.ts';

/**
 * Searches for the longest block of the store's event loop: runs commands that cost a great deal and meanwhile pings
 * over another connection. `npx tsx bench/store/blocks.ts [documents] [name]` prints, for each, the most time of the
 * processor that the store's thread took between a ping and its answer (on Linux; elsewhere wall-clock time), the least
 * of three runs, because other work on the machine only adds to it.
 */
const COUNT = Number(process.argv[2] ?? 20_000);
const ONLY = process.argv[3];
const MAX_TIME_MS = 3000;
const RUNS = Number(process.env.RUNS ?? 3);

type Sections = { body: Document; sequence?: { name: string; documents: Uint8Array[] } };

function frameOf({ body, sequence }: Sections): Buffer {
  const head = Buffer.alloc(20);
  const sections = [
    Buffer.from([0]),
    BSON.serialize({ ...body, $db: 'bench', maxTimeMS: MAX_TIME_MS }, { ignoreUndefined: true }),
  ];
  if (sequence) {
    const name = Buffer.from(`${sequence.name}\0`);
    const size = Buffer.alloc(4);
    size.writeInt32LE(4 + name.length + sequence.documents.reduce((sum, { length }) => sum + length, 0));
    sections.push(Buffer.from([1]), size, name, ...sequence.documents);
  }
  const frame = Buffer.concat([head, ...sections]);
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(1, 4);
  frame.writeInt32LE(2013, 12);
  return frame;
}

function connectTo(path: string) {
  const socket = connect(path);
  let chunks: Buffer[] = [];
  let length = 0;
  const waiting: ((reply: Buffer) => void)[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    const first = chunks[0]!;
    if (first.length < 4 || length < first.readInt32LE(0)) return;
    const reply = Buffer.concat(chunks);
    chunks = [];
    length = 0;
    waiting.shift()!(reply);
  });
  return {
    send: (frame: Buffer) =>
      new Promise<Buffer>((resolve) => {
        waiting.push(resolve);
        socket.write(frame);
      }),
    close: () => socket.destroy(),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'colloquy-blocks-'));
const store = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: false });
const path = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(store.uri)![1]!);
const worker = connectTo(path);
const pinger = connectTo(path);
const PING = frameOf({ body: { ping: 1 } });

/** Milliseconds that a thread of this process has been running. */
function threadMs(id: string): number {
  try {
    return Number(readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

const threads = (): string[] => {
  try {
    return readdirSync('/proc/self/task').filter((id) => id !== String(process.pid));
  } catch {
    return [];
  }
};

/** The thread that works while the store inserts. */
async function findStoreThread(work: () => Promise<unknown>): Promise<string> {
  const before = new Map(threads().map((id) => [id, threadMs(id)]));
  await work();
  const grown = [...before].map(([id, ms]) => ({ id, ms: threadMs(id) - ms }));
  return grown.toSorted((a, b) => b.ms - a.ms)[0]?.id ?? '';
}

let storeThread = '';

async function run(sections: Sections): Promise<{ block: number; total: number; reply: Document }> {
  const frame = frameOf(sections);
  await pinger.send(PING);
  const started = performance.now();
  let isDone = false;
  const running = worker.send(frame).finally(() => {
    isDone = true;
  });
  let block = 0;
  while (!isDone) {
    const sent = threadMs(storeThread);
    await pinger.send(PING);
    block = Math.max(block, threadMs(storeThread) - sent);
  }
  const reply = await running;
  const total = performance.now() - started;
  return { block, total, reply: BSON.deserialize(reply.subarray(21), { validation: { utf8: false } }) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const itemOf = (_id: number): Document => ({
  _id,
  text: 'lorem ipsum '.repeat(20),
  rank: (_id * 37) % 1001,
  tags: numbers(10).map((i) => (_id * i) % 13),
});
const bytesOf = (documents: Document[]): Uint8Array[] => documents.map((document) => BSON.serialize(document));
const insert = (ns: string, documents: Document[]): Sections => ({
  body: { insert: ns },
  sequence: { name: 'documents', documents: bytesOf(documents) },
});
const pipeline = (...stages: Document[]): Sections => ({ body: { aggregate: 'items', pipeline: stages, cursor: {} } });
const onBig = (...stages: Document[]): Sections => ({ body: { aggregate: 'big', pipeline: stages, cursor: {} } });
const find = (ns: string, filter: Document, more: Document = {}): Sections => ({ body: { find: ns, filter, ...more } });
const update = (ns: string, q: Document, u: unknown, more: Document = {}): Sections => ({
  body: { update: ns, updates: [{ q, u, ...more }] },
});
const nested = (depth: number): Document => numbers(depth).reduce<Document>((inner) => ({ a: inner }), { a: 1 });
const RARE = { text: { $regex: 'm ([a-z]+ )*z{3}$' } };
const range = (n: number): Document => ({ $range: [0, n] });
const BIG = 1_000_000;

storeThread = await findStoreThread(() => run(insert('items', numbers(COUNT).map(itemOf))));
await run(insert('big', [{ _id: 1, numbers: numbers(BIG) }]));
await run(insert('text', [{ _id: 1, text: 'ab '.repeat(5_000_000) }]));
await run(insert('arrays', [{ _id: 1, rows: numbers(100_000).map((i) => ({ i, j: i % 7 })) }]));
await run(insert('fields', [{ _id: 1, ...Object.fromEntries(numbers(200_000).map((i) => [`f${i}`, i])) }]));

const COMMANDS: Record<string, () => Sections> = {
  'ping (the machine itself)': () => ({ body: { ping: 1 } }),
  'find, nothing matches': () => find('items', RARE),
  'find, sort': () => find('items', {}, { sort: { rank: 1, text: -1 } }),
  'find, projection': () => find('items', {}, { projection: { text: { $toUpper: '$text' } }, batchSize: COUNT }),
  'find, $in of 100,000': () => find('items', { _id: { $in: numbers(100_000) } }),
  'find, $in of 100,000 without an index': () => find('items', { rank: { $in: numbers(100_000) } }),
  'find, $nin of 1,000,000': () => find('items', { rank: { $nin: numbers(BIG) } }),
  'find, $or of 10,000': () => find('items', { $or: numbers(10_000).map((i) => ({ rank: -i, text: `${i}` })) }),
  'find, $or of 10,000 on the index': () => find('items', { $or: numbers(10_000).map((i) => ({ _id: i })) }),
  'find, $in of 50,000 expressions': () =>
    find('items', { text: { $in: numbers(50_000).map((i) => new BSON.BSONRegExp(`x${i}$`)) } }),
  'find, deep $and': () =>
    find(
      'items',
      numbers(15).reduce<Document>((inner) => ({ $and: [inner, inner] }), { rank: 1 }),
    ),
  'find, nested equality': () => find('items', { rank: nested(150) }),
  'regex, nested quantifiers': () => find('items', { text: { $regex: '^((lorem|ipsum)+ ?)+$' } }),
  'regex on 15 MB': () => find('text', { text: { $regex: '(a+b? )+c' } }),
  'regex, literal on 15 MB': () => find('text', { text: { $regex: 'abc' } }),
  'regex, look-arounds on 15 MB': () => find('text', { text: { $regex: '(?=a)(?!b)c(?<=c)' } }),
  count: () => ({ body: { count: 'items', query: RARE } }),
  distinct: () => ({ body: { distinct: 'items', key: 'text' } }),
  'distinct of 1,000,000': () => ({ body: { distinct: 'big', key: 'numbers' } }),
  explain: () => ({ body: { explain: { find: 'items', filter: RARE }, verbosity: 'executionStats' } }),
  validate: () => ({ body: { validate: 'items' } }),
  dbStats: () => ({ body: { dbStats: 1 } }),
  $group: () => pipeline({ $group: { _id: '$_id', tags: { $push: '$tags' } } }),
  $sort: () => pipeline({ $addFields: { x: 1 } }, { $sort: { rank: 1, text: -1 } }, { $limit: 1 }),
  '$unwind, $group': () =>
    pipeline({ $unwind: '$tags' }, { $group: { _id: { i: '$_id', t: '$tags' } } }, { $count: 'n' }),
  $lookup: () =>
    pipeline({ $lookup: { from: 'items', localField: '_id', foreignField: '_id', as: 'x' } }, { $match: { x: 1 } }),
  $facet: () => pipeline({ $facet: { a: [{ $group: { _id: '$rank' } }], b: [{ $sort: { text: 1 } }, { $limit: 1 }] } }),
  'big array: read': () => find('big', {}),
  'big array: filter': () => find('big', { numbers: -1 }),
  'big array: $elemMatch': () => find('big', { numbers: { $elemMatch: { $gt: BIG, $lt: BIG + 1 } } }),
  'big array: $all': () => find('big', { numbers: { $all: numbers(200) } }),
  'big array: projection': () => find('big', {}, { projection: { numbers: { $slice: 1 } } }),
  'big array: $unwind': () => onBig({ $unwind: '$numbers' }, { $match: { numbers: -1 } }),
  'big array: $map': () =>
    onBig({ $project: { x: { $size: { $map: { input: '$numbers', in: { $add: ['$$this', 1] } } } } } }),
  'big array: $filter': () =>
    onBig({ $project: { x: { $filter: { input: '$numbers', cond: { $lt: ['$$this', 0] } } } } }),
  'big array: $reduce': () =>
    onBig({
      $project: { x: { $reduce: { input: '$numbers', initialValue: 0, in: { $add: ['$$this', '$$value'] } } } },
    }),
  'big array: $setUnion': () => onBig({ $project: { x: { $size: { $setUnion: ['$numbers', '$numbers'] } } } }),
  'big array: $in': () => onBig({ $project: { x: { $in: [-1, '$numbers'] } } }),
  'big array: $sum': () => onBig({ $project: { x: { $sum: '$numbers' } } }),
  'nested $map': () =>
    onBig(
      { $limit: 1 },
      { $project: { x: { $map: { input: range(10_000), in: { $map: { input: range(10_000), in: 1 } } } } } },
    ),
  '$reduce, $concatArrays': () =>
    onBig({
      $project: {
        x: {
          $size: {
            $reduce: { input: range(20_000), initialValue: [], in: { $concatArrays: ['$$value', ['$$this']] } },
          },
        },
      },
    }),
  '$reduce, doubling': () =>
    onBig({
      $project: {
        x: {
          $size: { $reduce: { input: range(40), initialValue: [1], in: { $concatArrays: ['$$value', '$$value'] } } },
        },
      },
    }),
  '$reduce, doubling text': () =>
    onBig({
      $project: {
        x: { $strLenCP: { $reduce: { input: range(40), initialValue: 'x', in: { $concat: ['$$value', '$$value'] } } } },
      },
    }),
  '$range of 3,000,000': () => onBig({ $project: { x: { $size: range(3_000_000) } } }),
  '$substrCP of 15 MB': () => ({
    body: { aggregate: 'text', pipeline: [{ $project: { x: { $substrCP: ['$text', 5, 5] } } }], cursor: {} },
  }),
  '$toUpper of 15 MB': () => ({
    body: { aggregate: 'text', pipeline: [{ $project: { x: { $strLenCP: { $toUpper: '$text' } } } }], cursor: {} },
  }),
  'insert of many': () =>
    insert(
      'inserted',
      numbers(COUNT).map((i) => ({ ...itemOf(i), _id: undefined })),
    ),
  'insert of 100,000 small': () =>
    insert(
      'inserted',
      numbers(100_000).map((i) => ({ x: i })),
    ),
  'insert of 15 MB array': () => insert('inserted', [{ numbers: numbers(BIG) }]),
  'insert of three 15 MB arrays': () =>
    insert(
      'inserted',
      numbers(3).map(() => ({ numbers: numbers(BIG) })),
    ),
  'insert of 200,000 fields': () => insert('inserted', [Object.fromEntries(numbers(200_000).map((i) => [`f${i}`, i]))]),
  'update of all': () => update('items', {}, { $inc: { rank: 1 } }, { multi: true }),
  'update of all by a pipeline': () => update('items', {}, [{ $set: { y: { $add: ['$rank', 1] } } }], { multi: true }),
  'update of one, searching': () => update('items', RARE, { $set: { x: 1 } }),
  'update: 10,000 statements': () => ({
    body: { update: 'items', updates: numbers(10_000).map((i) => ({ q: { _id: i }, u: { $inc: { n: 1 } } })) },
  }),
  'update: retryable, 10,000 statements': () => ({
    body: {
      update: 'items',
      updates: numbers(10_000).map((i) => ({ q: { _id: i }, u: { $inc: { n: 1 } } })),
      lsid: { id: new BSON.UUID() },
      txnNumber: BSON.Long.fromNumber(1),
    },
  }),
  'update of 100,000 elements, $[]': () => update('arrays', {}, { $inc: { 'rows.$[].j': 1 } }),
  'update of 100,000 elements, filtered': () =>
    update('arrays', {}, { $inc: { 'rows.$[r].j': 1 } }, { arrayFilters: [{ 'r.i': { $gt: 5 } }] }),
  '$push to 1,000,000': () => update('big', {}, { $push: { numbers: 1 } }),
  '$addToSet of 2,000 to 1,000,000': () =>
    update('big', {}, { $addToSet: { numbers: { $each: numbers(2000).map((i) => -i) } } }),
  '$pull from 1,000,000': () => update('big', {}, { $pull: { numbers: { $lt: 0 } } }),
  '$pullAll of 2,000 from 1,000,000': () => update('big', {}, { $pullAll: { numbers: numbers(2000).map((i) => -i) } }),
  'findAndModify, searching': () => ({ body: { findAndModify: 'items', query: RARE, update: { $set: { x: 1 } } } }),
  createIndexes: () => ({ body: { createIndexes: 'items', indexes: [{ key: { text: 1, rank: 1 }, name: 'x' }] } }),
  'createIndexes, multikey of 1,000,000': () => ({
    body: { createIndexes: 'big', indexes: [{ key: { numbers: 1 }, name: 'x' }] },
  }),
  'deletion, searching': () => ({ body: { delete: 'items', deletes: [{ q: RARE, limit: 0 }] } }),
  'deletion of all': () => ({ body: { delete: 'items', deletes: [{ q: {}, limit: 0 }] } }),
};

const results: { name: string; block: number; total: number; answer: string }[] = [];
for (const [name, command] of Object.entries(COMMANDS)) {
  if (ONLY && !name.includes(ONLY)) continue;
  let best: { block: number; total: number; answer: string } | undefined;
  for (let i = 0; i < RUNS; i++) {
    const { block, total, reply } = await run(command());
    const answer = reply.ok === 1 ? 'ok' : `${reply.code} ${String(reply.errmsg).slice(0, 60)}`;
    if (!best || block < best.block) best = { block, total, answer };
  }
  results.push({ name, ...best! });
  console.log(
    `${best!.block.toFixed(0).padStart(6)} ms of ${best!.total.toFixed(0).padStart(6)} ms  ${name}: ${best!.answer}`,
  );
}
const worst = results.toSorted((a, b) => b.block - a.block).slice(0, 10);
console.log(`longest: ${worst.map(({ name, block }) => `${name} ${block.toFixed(0)} ms`).join(', ')}`);
worker.close();
pinger.close();
await store.close();
await rm(folder, { recursive: true, force: true });
