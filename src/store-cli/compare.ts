import type { Db } from 'mongodb';
import { IMPORT_STATE } from '../store/unfinished-import.ts';
import { Failure } from './command.ts';
import { idOf } from './documents.ts';
import { readInOrder } from './mongo-source.ts';
import type { Progress } from './progress.ts';
import { plainIndexes, type Source, textOfIndex } from './source.ts';

export interface CompareOptions {
  source: Source;
  db: Db;
  progress: Progress;
}

/**
 * Reads source and target side by side, in the order of `_id`, and compares every byte of every document, and the
 * indexes.
 *
 * @throws Failure naming the first difference
 */
export async function compareAll({ source, db, progress }: CompareOptions): Promise<void> {
  let done = 0;
  for (const collection of source.collections) {
    const target = readInOrder(db, collection.name);
    try {
      for await (const { bytes } of source.read(collection)) {
        const { value: other } = await target.next();
        if (!other?.bytes.equals(bytes)) {
          const found = other ? `the target has ${idOf(other.bytes)}` : 'the target has no more';
          const isSame = other !== undefined && idOf(other.bytes) === idOf(bytes);
          throw differs(
            `${collection.name}: where the source has ${idOf(bytes)}, ${isSame ? 'the target has other content' : found}`,
          );
        }
        progress.update(++done);
      }
      const { value: extra } = await target.next();
      if (extra) throw differs(`${collection.name}: only the target has ${idOf(extra.bytes)}`);
    } finally {
      await target.return(undefined);
    }
    const indexes = plainIndexes(await db.collection(collection.name).listIndexes().toArray());
    const there = new Set(indexes.map(textOfIndex));
    const missing = collection.indexes.find(
      (index) => index.expireAfterSeconds === undefined && !there.has(textOfIndex(index)),
    );
    if (missing) throw differs(`${collection.name}: the target has no index ${missing.name}`);
  }
  await assertNothingElse({ source, db });
}

async function assertNothingElse({ source, db }: Pick<CompareOptions, 'source' | 'db'>): Promise<void> {
  const known = new Set([IMPORT_STATE, ...source.collections.map(({ name }) => name)]);
  const found = await filledCollections(db);
  const other = found.find((name) => !known.has(name));
  if (other) throw differs(`only the target has the collection ${other}`);
}

/** The collections of a database that hold anything, those of the server itself left out. */
export async function filledCollections(db: Db): Promise<string[]> {
  const names: string[] = [];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.startsWith('system.')) continue;
    if (await db.collection(name).findOne({}, { projection: { _id: 1 }, sort: { _id: 1 } })) names.push(name);
  }
  return names;
}

const differs = (how: string): Failure =>
  new Failure(`Source and target differ. ${how}. Somebody else has written to one of them.`);
