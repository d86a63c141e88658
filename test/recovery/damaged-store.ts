/**
 * Opens each of the stores named, reads everything that `fillStore` has put into it in several ways, and prints one
 * line a store: whether it was refused, which errors there were, and whether anything read was not as written.
 */
import { existsSync } from 'node:fs';
import { MongoClient, MongoError } from 'mongodb';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { checkStore } from '../../src/embedded/maintenance/check-store.ts';
import { ROWS, type Row, rowOf } from './damaged-rows.ts';

export interface Outcome {
  folder: string;
  kind: 'right' | 'refused' | 'error' | 'wrong';
  /** Errors, or what was wrong. */
  messages: string[];
  /** Faults that `store check` finds. */
  faults: number;
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
  const isRight = (found: Row | null) => JSON.stringify(found) === JSON.stringify(expected.get(found?._id ?? ''));
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

for (const folder of process.argv.slice(2)) {
  if (!existsSync(folder)) continue;
  process.stdout.write(`${JSON.stringify({ started: folder })}\n`);
  const { found } = await checkStore(folder);
  const seen = await look(folder);
  process.stdout.write(`${JSON.stringify({ folder, ...seen, faults: found } satisfies Outcome)}\n`);
}
