/**
 * Opens each store in the arguments, reads the data written by `fillStore` in several ways, and prints one line per
 * store: whether it was refused, the errors, and whether any data differed from what was written.
 */
import { existsSync } from 'node:fs';
import { MongoClient, MongoError } from 'mongodb';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { checkStore } from '../../src/embedded/maintenance/check-store.ts';
import { FolderError } from '../../src/embedded/maintenance/open-folder.ts';
import { salvageStore } from '../../src/embedded/maintenance/salvage-store.ts';
import { ROWS, type Row, rowOf } from './damaged-rows.ts';

export interface Outcome {
  folder: string;
  kind: 'right' | 'refused' | 'error' | 'wrong';
  /** Errors and differences. */
  messages: string[];
  /** Faults that `store check` finds. */
  faults: number;
  /** Rows that could be salvaged from a damaged store; null if none could. */
  salvaged?: number | null;
}

const expected = new Map<string, Row>(Array.from({ length: ROWS }, (_, n) => [rowOf(n)._id, rowOf(n)]));

async function look(folder: string): Promise<Omit<Outcome, 'folder' | 'faults'>> {
  const errors = new Set<string>();
  const wrong = new Set<string>();
  let store: Awaited<ReturnType<typeof startEmbeddedStore>>;
  try {
    store = await startEmbeddedStore({ folder });
  } catch (error) {
    return { kind: 'refused', messages: [(error as Error).message] };
  }
  const client = await MongoClient.connect(store.uri, { retryReads: false });
  const rows = client.db('fuzz').collection<Row>('rows');
  const attempt = async (what: string, read: () => Promise<boolean>) => {
    try {
      if (!(await read())) wrong.add(what);
    } catch (error) {
      errors.add(error instanceof MongoError ? error.message : `${what}: ${String(error)}`);
    }
  };
  const isAll = (found: Row[]) =>
    found.length === ROWS && new Set(found.map(({ _id }) => _id)).size === ROWS && found.every(isRight);
  await attempt('a scan', async () => isAll(await rows.find().hint({ $natural: 1 }).toArray()));
  await attempt('a scan by name', async () => isAll(await rows.find().sort({ name: 1 }).toArray()));
  await attempt('a count', async () => (await rows.countDocuments({})) === ROWS);
  await attempt('groups', async () => {
    const counted = await rows
      .aggregate<{ _id: number; n: number }>([{ $group: { _id: '$group', n: { $sum: 1 } } }])
      .toArray();
    return counted.reduce((sum, { n }) => sum + n, 0) === ROWS && counted.length === 17;
  });
  for (let group = 0; group < 17; group++) {
    const numbers = [...expected.values()].filter((row) => row.group === group).length;
    await attempt(
      `group ${group}`,
      async () => (await rows.find({ group }).toArray()).filter(isRight).length === numbers,
    );
  }
  for (const row of expected.values()) {
    await attempt(`the row ${row._id}`, async () => {
      const found = await rows.findOne({ _id: row._id });
      return found !== null && isRight(found);
    });
  }
  await client.close().catch(() => undefined);
  await store.close();
  if (wrong.size > 0) return { kind: 'wrong', messages: [...wrong].slice(0, 5) };
  return { kind: errors.size > 0 ? 'error' : 'right', messages: [...errors] };
}

const isRight = (found: Row | null) => JSON.stringify(found) === JSON.stringify(expected.get(found?._id ?? ''));

/** @throws Error if a copied row differs from what was written, or missing rows are not reported */
async function salvage(folder: string): Promise<number | null> {
  const copy = `${folder} salvaged`;
  let lost: string[];
  try {
    ({ lost } = await salvageStore(folder, copy));
  } catch (error) {
    if (error instanceof FolderError) return null;
    throw error;
  }
  const store = await startEmbeddedStore({ folder: copy });
  const client = await MongoClient.connect(store.uri);
  const rows = await client.db('fuzz').collection<Row>('rows').find().toArray();
  await client.close();
  await store.close();
  if (!rows.every(isRight)) throw new Error('a row that was copied is not as it was written');
  if (rows.length < ROWS && lost.length === 0)
    throw new Error(`${ROWS - rows.length} rows are missing without a report`);
  return rows.length;
}

for (const folder of process.argv.slice(2)) {
  if (!existsSync(folder)) continue;
  process.stdout.write(`${JSON.stringify({ started: folder })}\n`);
  const { found } = await checkStore(folder);
  const seen = await look(folder);
  const outcome: Outcome = { folder, ...seen, faults: found };
  if (seen.kind !== 'right') {
    try {
      outcome.salvaged = await salvage(folder);
    } catch (error) {
      Object.assign(outcome, { kind: 'wrong', messages: [`salvage: ${String(error)}`] });
    }
  }
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
