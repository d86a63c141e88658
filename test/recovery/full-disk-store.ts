/**
 * The process under test on a disk that fills up. Each run executes one phase, the first argument, on the same folder.
 * Acknowledged writes are recorded in a file on another disk. The last line of output contains the observations that
 * full-disk.test.ts checks.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Collection, type MongoBulkWriteError, MongoClient, type MongoServerError } from 'mongodb';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';

interface Row {
  _id: string;
  name: string;
  text: string;
}

/** Longer than the store refuses writes without an attempt, so that each write is an attempt. */
const PAUSE_MS = 250;
const MORE_BYTES = 6 * 1024 * 1024;

const [phase, disk, log] = process.argv.slice(2) as [keyof typeof PHASES, string, string];
const folder = join(disk, 'store');
const warnings: string[] = [];

const formatFile = join(folder, 'format.json');
const filler = join(disk, 'filler');
if (phase === 'upgrade') {
  // As an earlier version would have written it; overwrites the allocated bytes of the file.
  writeFileSync(formatFile, JSON.stringify({ store: 'colloquy-embedded', format: 2 }), { flag: 'r+' });
  fillToTheLastByte();
}

const open = (): Promise<EmbeddedStore> =>
  startEmbeddedStore({ folder, refuseUnindexed: true, onWarning: (warning) => warnings.push(warning) });
const store = await open();
const client = await MongoClient.connect(store.uri, { retryWrites: false });
const db = client.db('full');
const rows: Collection<Row> = db.collection('rows');

/** Uses up the free disk space. With a limit on file sizes only, there would be no end to it. */
function fillToTheLastByte(): void {
  const file = openSync(filler, 'w');
  try {
    for (let written = 0; written < 2 * MORE_BYTES; ) written += writeSync(file, Buffer.alloc(4096));
  } catch {
    // Full.
  }
  closeSync(file);
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, PAUSE_MS));
const codeOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 0,
    (error: MongoServerError) => Number(error.code ?? -1),
  );

let count = 0;
const rowOf = (size: number): Row => {
  const _id = `${phase}-${process.pid}-${count++}`;
  return { _id, name: _id, text: 'x'.repeat(size) };
};

async function insert(size: number): Promise<void> {
  const row = rowOf(size);
  await rows.insertOne(row);
  appendFileSync(log, `${row._id}\n`);
}

/** Inserts until even the smallest row is refused; returns the first error. */
async function fillUp(): Promise<{ code: number; message: string }> {
  let first: MongoServerError | undefined;
  for (const size of [20_000, 2000, 10]) {
    for (let refusals = 0; refusals < 2; ) {
      try {
        await insert(size);
      } catch (error) {
        first ??= error as MongoServerError;
        refusals++;
        await pause();
      }
    }
  }
  return { code: Number(first?.code), message: String(first?.message) };
}

/** Inserts more than fits in one command; returns the inserted rows as reported by the error and by the store. */
async function fillByBulk(): Promise<object> {
  const before = await rows.countDocuments();
  const error = await rows.insertMany(Array.from({ length: 14_000 }, () => rowOf(2000))).then(
    () => undefined,
    (error: MongoBulkWriteError) => error,
  );
  const inserted = (await rows.countDocuments()) - before;
  const { code, insertedCount } = error ?? {};
  const [first] = [error?.writeErrors ?? []].flat();
  return { code, inserted, insertedCount, index: first?.index, message: first?.errmsg };
}

/** Frees space: removes a piece of ballast, or raises the limit on file sizes. */
function makeRoom(): void {
  const ballast = [1, 2].map((n) => join(disk, `ballast-${n}`)).find(existsSync);
  if (ballast) {
    rmSync(ballast);
    return;
  }
  const { size } = statSync(join(folder, 'store.mdb'));
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size + 2 * MORE_BYTES}:`]);
}

/** Retries until a write succeeds; returns the number of refusals. */
async function waitForRoom(): Promise<number> {
  for (let refused = 0; refused < 40; refused++) {
    if ((await codeOf(insert(2000))) === 0) return refused;
    await pause();
  }
  throw new Error('no write succeeded although there is space');
}

/** Checked in every phase: all acknowledged rows exist and can be found, and indexes and documents agree. */
async function look(): Promise<object> {
  const present = new Set((await rows.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
  const acknowledged = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
  const { valid, errors } = await db.command({ validate: 'rows' });
  const last = acknowledged.at(-1);
  return {
    missing: acknowledged.filter((id) => !present.has(id)),
    acknowledged: acknowledged.length,
    isFound: last === undefined || (await rows.findOne({ name: last }))?._id === last,
    valid,
    errors,
  };
}

const PHASES = {
  async fill(): Promise<object> {
    await rows.createIndex({ name: 1 }, { unique: true });
    const early = client.startSession();
    early.startTransaction();
    const staged = rowOf(100);
    await rows.insertOne(staged, { session: early });
    const refusal = await fillUp();

    const whileFull = await look();
    const late = client.startSession();
    late.startTransaction();
    await rows.insertMany([rowOf(20_000), rowOf(20_000)], { session: late });
    const codes = {
      update: await codeOf(rows.updateMany({}, { $set: { text: 'y'.repeat(30_000) } }, { hint: '_id_' })),
      transaction: await codeOf(late.commitTransaction()),
    };
    await pause();
    const index = await codeOf(rows.createIndex({ text: 1, name: 1 }));
    const count = await rows.countDocuments();
    const indexes = (await rows.indexes()).length;
    makeRoom();
    const refusedAfter = await waitForRoom();
    // The transaction was started before the failures, which must not have released its locks.
    await early.commitTransaction();
    appendFileSync(log, `${staged._id}\n`);
    for (let i = 0; i < 20; i++) await insert(100);
    const bulk = await fillByBulk();
    const seen = { count, indexes, refusedAfter, bulk, afterwards: await look() };
    return { refusal, whileFull, codes: { ...codes, index }, ...seen };
  },

  /** Ends with a kill during writes on a full disk. */
  async die(): Promise<object> {
    const before = await look();
    await fillUp();
    const writers = Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 5; i++) await codeOf(insert(500));
    });
    await Promise.race([...writers, pause()]);
    process.stdout.write(`${JSON.stringify({ phase, before })}\n`);
    process.kill(process.pid, 'SIGKILL');
    return {};
  },

  /** Opens and closes the store on a full disk. */
  async read(): Promise<object> {
    const second = await open().then(
      () => 'started',
      (error: Error) => error.message,
    );
    return { second, ...(await look()), code: await codeOf(insert(1_000_000)) };
  },

  /** A store of an earlier version: writes must fail until the new format is recorded. */
  async upgrade(): Promise<object> {
    const seen = { ...(await look()), code: await codeOf(insert(1_000_000)) };
    const { format } = JSON.parse(readFileSync(formatFile, 'utf8'));
    rmSync(filler);
    return { ...seen, format };
  },

  async recover(): Promise<object> {
    const before = await look();
    makeRoom();
    await waitForRoom();
    for (let i = 0; i < 20; i++) await insert(100);
    const { format } = JSON.parse(readFileSync(formatFile, 'utf8'));
    return { before, format, afterwards: await look() };
  },

  check: look,
};

const seen = await PHASES[phase]();
await client.close();
await store.close();
process.stdout.write(`${JSON.stringify({ phase, ...seen, warnings })}\n`);
