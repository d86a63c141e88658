import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, type Document } from 'bson';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { fields, insert, itemOf, nested, numbers, type Sections } from './block-cases/commands.ts';
import { pipelineCases } from './block-cases/pipelines.ts';
import { readCases } from './block-cases/reads.ts';
import { writeCases } from './block-cases/writes.ts';

/**
 * Searches for the longest block of the store's event loop: runs expensive commands, and meanwhile pings
 * over another connection. `npx tsx bench/store/blocks.ts [documents] [name]` prints, for each, the maximum processor
 * time of the store's thread between a ping and its reply (on Linux; elsewhere wall-clock time), the minimum
 * of three runs, because other work on the machine only adds to it.
 */
const COUNT = Number(process.argv[2] ?? 5000);
const ONLY = process.argv[3];
const MAX_TIME_MS = 3000;
const RUNS = Number(process.env.RUNS ?? 3);

function frameOf({ body, sequence }: Sections): Buffer {
  const head = Buffer.alloc(20);
  const sections = [
    Buffer.from([0]),
    BSON.serialize({ ...body, $db: body.$db ?? 'bench', maxTimeMS: MAX_TIME_MS }, { ignoreUndefined: true }),
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

BSON.setInternalBufferSize(64 * 1024 * 1024);
// In memory if possible: the cost of the file system differs much between machines.
const FOLDER = process.env.TMPDIR ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
const folder = await mkdtemp(join(FOLDER, 'colloquy-blocks-'));
const store = await startEmbeddedStore({ folder, durability: 'memory', refuseUnindexed: false });
const path = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(store.uri)![1]!);
const worker = connectTo(path);
const pinger = connectTo(path);
const PING = frameOf({ body: { ping: 1 } });

/** Processor time of a thread of this process in milliseconds. */
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

/** The thread with the most processor time while the store inserts. */
async function findStoreThread(work: () => Promise<unknown>): Promise<string> {
  const before = new Map(threads().map((id) => [id, threadMs(id)]));
  await work();
  const grown = [...before].map(([id, ms]) => ({ id, ms: threadMs(id) - ms }));
  return grown.toSorted((a, b) => b.ms - a.ms)[0]?.id ?? '';
}

let storeThread = '';

async function run(sections: Sections): Promise<{ block: number; total: number; reply: Document }> {
  for (const command of sections.before ?? []) await worker.send(frameOf(command));
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

const FULL = 90_000;
const FULL_FIELDS = 19_000;
/** Nested arrays, so that a path visits each element. */
const deepArrays = (depth: number, width: number): unknown =>
  depth === 0 ? 1 : { a: Array.from({ length: width }, () => deepArrays(depth - 1, width)) };

storeThread = await findStoreThread(() => run(insert('items', numbers(COUNT).map(itemOf))));
await run(
  insert('list', [
    { _id: 1, numbers: numbers(FULL) },
    { _id: 2, numbers: numbers(37_000) },
  ]),
);
await run(insert('text', [{ _id: 1, text: 'ab '.repeat(5_000_000) }]));
await run(insert('text10', [{ _id: 1, text: 'ab '.repeat(3_333_333) }]));
await run(insert('rows', [{ _id: 1, rows: numbers(9000).map((i) => ({ i, j: i % 7 })) }]));
await run(insert('grid', [{ _id: 1, rows: numbers(300).map(() => numbers(300)) }]));
await run(insert('fields', [{ _id: 1, ...fields(FULL_FIELDS) }]));
await run(insert('padded', [{ _id: 1, ...fields(200, () => [], 'l') }]));
await run(
  insert('nestedArrays', [
    { _id: 1, ...(deepArrays(15, 2) as object) },
    { _id: 2, ...nested(80) },
  ]),
);
for (let i = 0; i < 40; i += 10) {
  await run(
    insert(
      'large',
      numbers(10).map((j) => ({ _id: i + j, value: fields(10_000), list: numbers(45_000) })),
    ),
  );
}
for (let i = 0; i < 60; i++) await run(insert('long', [{ _id: i, text: `${'x'.repeat(1_000_000)}${i}` }]));
for (let i = 0; i < 4; i++) {
  await run(
    insert(
      'many',
      numbers(75_000).map((j) => ({ _id: i * 75_000 + j, x: j % 100, y: j })),
    ),
  );
}
await run({ body: { createIndexes: 'indexed', indexes: [{ key: { list: 1 }, name: 'list' }] } });
await run({ body: { createIndexes: 'keyed', indexes: [{ key: { list: 1 }, name: 'list' }] } });
await run(insert('keyed', [{ _id: 1, list: numbers(9900) }]));

const CASES = {
  'ping (the machine itself)': () => ({ body: { ping: 1 } }),
  ...readCases(COUNT),
  ...pipelineCases(),
  ...writeCases(COUNT),
};
/** The longest accepted block, in milliseconds of processor time. */
const LONGEST_BLOCK_MS = 50;

const results: { name: string; block: number }[] = [];
for (const [name, create] of Object.entries(CASES)) {
  if (ONLY && !name.includes(ONLY)) continue;
  let best: { block: number; total: number; answer: string } | undefined;
  for (let i = 0; i < RUNS; i++) {
    const { block, total, reply } = await run(create());
    const answer = reply.ok === 1 ? answerOf(reply) : `${reply.code} ${String(reply.errmsg).slice(0, 60)}`;
    if (!best || block < best.block) best = { block, total, answer };
    if (best.block < LONGEST_BLOCK_MS / 2) break;
  }
  results.push({ name, block: best!.block });
  const mark = best!.block > LONGEST_BLOCK_MS ? '!' : ' ';
  console.log(
    `${mark}${best!.block.toFixed(0).padStart(6)} ms of ${best!.total.toFixed(0).padStart(6)} ms  ${name}: ${best!.answer}`,
  );
}

function answerOf({ writeErrors }: Document): string {
  const [first] = writeErrors ?? [];
  return first ? `${writeErrors.length} x ${first.code} ${String(first.errmsg).slice(0, 60)}` : 'ok';
}

const worst = results.toSorted((a, b) => b.block - a.block);
console.log(
  `longest: ${worst
    .slice(0, 10)
    .map(({ name, block }) => `${name} ${block.toFixed(0)} ms`)
    .join(', ')}`,
);
worker.close();
pinger.close();
await store.close();
await rm(folder, { recursive: true, force: true });
if (worst.some(({ block }) => block > LONGEST_BLOCK_MS)) process.exitCode = 1;
