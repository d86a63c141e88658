import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Collection, type Document, MongoClient, MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { createMessageHandler } from '../../src/embedded/commands/dispatch.ts';
import { createEngine, type Engine } from '../../src/embedded/engine.ts';
import { DiskFullError } from '../../src/embedded/storage/file/disk-space.ts';
import { openStorage, type Storage } from '../../src/embedded/storage/storage.ts';
import { listen } from '../../src/embedded/wire/server.ts';

interface Row {
  _id: string;
  n: number;
  tags: number[];
}

interface Opened {
  storage: Storage;
  engine: Engine;
  client: MongoClient;
  close(): Promise<void>;
}

/** Runs the store in this process with a storage whose commits can be made to fail after all the work is done. */
async function openHere(folder: string, mayFail: () => boolean): Promise<Opened> {
  const storage = openStorage({ folder, isMemory: true });
  const { commit } = storage;
  storage.commit = (work) =>
    commit(() => {
      work();
      if (mayFail()) throw new DiskFullError('simulated by the test');
    });
  const address = join(folder, 'test.sock');
  const engine = createEngine(storage, {
    refuseUnindexed: false,
    warn: () => undefined,
    address,
    term: 1,
    history: { bytes: 2 ** 20, ms: 60_000 },
    transactionLifetimeMs: 60_000,
  });
  const server = await listen(createMessageHandler(engine), address);
  const client = await MongoClient.connect(`mongodb://${encodeURIComponent(address)}/?directConnection=true`, {
    retryWrites: false,
  });
  return {
    storage,
    engine,
    client,
    async close() {
      await client.close();
      await server.close();
      await engine.close();
      await storage.close();
    },
  };
}

const KINDS = [
  'insert',
  'insert',
  'update',
  'delete',
  'transaction',
  'transaction',
  'index',
  'unindex',
  'drop',
] as const;
const stepArbitrary = fc.record({ kind: fc.constantFrom(...KINDS), a: fc.nat(30), b: fc.nat(5), doesFail: fc.nat(4) });
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;

const INDEXES: Document[] = [
  { key: { n: 1 }, name: 'n' },
  { key: { tags: 1, n: -1 }, name: 'tags' },
  { key: { n: 1, _id: 1 }, name: 'unique', unique: true },
];

/** How long the store rejects writes without trying after one found no disk space. */
const REJECTION_MS = 210;

/** Codes with which a step may fail: those of a full store, and conflicts that occur on any store. */
const EXPECTED: ReadonlySet<unknown> = new Set([11000, 14031, 112, 251, 26, 27, 276]);

async function run(client: MongoClient, { kind, a, b }: Step, acknowledged: Map<string, number | undefined>) {
  const db = client.db('aborts');
  const rows: Collection<Row> = db.collection(`c${b % 2}`);
  const _id = `${b % 2}/${a}`;
  const row: Row = { _id, n: a, tags: [a % 3, b] };
  // The outcome is unknown until the reply.
  const before = acknowledged.get(_id);
  switch (kind) {
    case 'insert':
      await rows.insertOne(row);
      return acknowledged.set(_id, a);
    case 'update':
      await rows.updateOne({ _id }, { $set: { n: 100 + b, tags: [b] } });
      if (before !== undefined) acknowledged.set(_id, 100 + b);
      return;
    case 'delete':
      await rows.deleteOne({ _id });
      return acknowledged.set(_id, undefined);
    case 'index':
      return db.command({ createIndexes: rows.collectionName, indexes: INDEXES.slice(0, 1 + (a % 3)) });
    case 'unindex':
      return db.command({ dropIndexes: rows.collectionName, index: INDEXES[a % 3]!.name });
    case 'drop':
      if (a > 3) return;
      await rows.drop();
      for (const id of acknowledged.keys()) if (id.startsWith(`${b % 2}/`)) acknowledged.delete(id);
      return;
    case 'transaction':
      return client.withSession(async (session) => {
        session.startTransaction();
        await rows.updateOne({ _id }, { $set: { n: 200 + b, tags: [b, b + 1] } }, { session, upsert: true });
        await new Promise((done) => setImmediate(done));
        await session.commitTransaction();
        acknowledged.set(_id, 200 + b);
      });
  }
}

it('a failed commit leaves memory as it is on disk, as if the commit had not been requested', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 60, maxLength: 60 }), async (steps) => {
      const folder = await mkdtemp(join(tmpdir(), 'colloquy-aborts-'));
      let isFailing = false;
      const here = await openHere(folder, () => isFailing);
      const db = here.client.db('aborts');
      await db
        .collection<Row>('c0')
        .insertMany(Array.from({ length: 800 }, (_, n) => ({ _id: `x${n}`, n, tags: [n % 5] })));
      await db.createCollection('c1');
      const acknowledged = new Map<string, number | undefined>();
      // Transactions that stay open while commits of others fail.
      const sessions = [0, 1].map(() => here.client.startSession());
      for (const [i, session] of sessions.entries()) {
        session.startTransaction();
        await db.collection<Row>('c1').insertOne({ _id: `long${i}`, n: i, tags: [] }, { session });
      }
      const lastly = [];
      for (const step of steps) {
        // These wait for open transactions, as in MongoDB.
        if ((step.kind === 'drop' || step.kind === 'unindex') && step.b % 2 === 1) continue;
        isFailing = step.doesFail === 0;
        const known = new Map(acknowledged);
        const running = run(here.client, step, acknowledged).catch((error: unknown) => {
          if (!(error instanceof MongoServerError) || !EXPECTED.has(error.code)) throw error;
          // A build changes no record, and fails when other commits have succeeded.
          if (step.kind !== 'index') for (const id of acknowledged.keys()) acknowledged.set(id, known.get(id));
        });
        // Builds run in the background; everything else is awaited.
        if (step.kind === 'index') lastly.push(running);
        else await running;
        // Longer than writes are rejected without trying.
        if (isFailing) await new Promise((done) => setTimeout(done, REJECTION_MS));
      }
      isFailing = false;
      await Promise.all(lastly);
      await new Promise((done) => setTimeout(done, 250));
      for (const session of sessions) await session.commitTransaction();
      for (let i = 0; i < 5; i++) await db.collection<Row>('c1').insertOne({ _id: `after${i}`, n: i, tags: [] });

      const seen = await lookAt(db);
      for (const [id, n] of acknowledged) expect([id, seen.rows.get(id)]).toEqual([id, n]);
      expect([...seen.rows.keys()].filter((id) => /^(long|after)/.test(id))).toHaveLength(7);
      await here.close();
      const again = await openHere(folder, () => false);
      expect(await lookAt(again.client.db('aborts'))).toEqual(seen);
      await again.close();
      await rm(folder, { recursive: true, force: true });
    }),
    { numRuns: 6, endOnFailure: true },
  );
}, 120_000);

async function lookAt(db: ReturnType<MongoClient['db']>) {
  const rows = new Map<string, number>();
  const indexes: Document = {};
  for (const { name } of await db.listCollections().toArray()) {
    expect(await db.command({ validate: name })).toMatchObject({ valid: true, errors: [] });
    for (const { _id, n } of await db.collection<Row>(name).find().toArray()) rows.set(_id, n);
    indexes[name] = await db.collection(name).indexes();
  }
  return { rows, indexes };
}
