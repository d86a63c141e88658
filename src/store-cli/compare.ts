import type { Db } from 'mongodb';
import { IMPORT_STATE } from '../store/unfinished-import.ts';
import { CliError } from './command.ts';
import { idOf } from './documents.ts';
import { readInOrder } from './mongo-source.ts';
import type { Progress } from './progress.ts';
import { normalizeIndexes, type Source, serializeIndex } from './source.ts';

export interface CompareOptions {
  source: Source;
  db: Db;
  progress: Progress;
}

/**
 * Reads source and target in parallel, in the order of `_id`, and compares every document byte by byte, and the indexes.
 *
 * @throws CliError naming the first difference
 */
export async function compareAll({ source, db, progress }: CompareOptions): Promise<void> {
  let done = 0;
  for (const collection of source.collections) {
    const target = readInOrder(db, collection.name);
    try {
      for await (const { bytes } of source.read(collection)) {
        const { value: other } = await target.next();
        if (!other?.bytes.equals(bytes)) {
          const found = other ? `the target has ${idOf(other.bytes)}` : 'the target has no further document';
          const isSame = other !== undefined && idOf(other.bytes) === idOf(bytes);
          throw differs(
            `${collection.name}: where the source has ${idOf(bytes)}, ${isSame ? 'the target has different content' : found}`,
          );
        }
        progress.update(++done);
      }
      const { value: extra } = await target.next();
      if (extra) throw differs(`${collection.name}: only the target has ${idOf(extra.bytes)}`);
    } finally {
      await target.return(undefined);
    }
    const indexes = normalizeIndexes(await db.collection(collection.name).listIndexes().toArray());
    const existing = new Set(indexes.map(serializeIndex));
    const missing = collection.indexes.find(
      (index) => index.expireAfterSeconds === undefined && !existing.has(serializeIndex(index)),
    );
    if (missing) throw differs(`${collection.name}: the target has no index ${missing.name}`);
  }
  await assertNoOtherCollection({ source, db });
}

async function assertNoOtherCollection({ source, db }: Pick<CompareOptions, 'source' | 'db'>): Promise<void> {
  const known = new Set([IMPORT_STATE, ...source.collections.map(({ name }) => name)]);
  const found = await filledCollections(db);
  const other = found.find((name) => !known.has(name));
  if (other) throw differs(`only the target has the collection ${other}`);
}

/** The names of the collections that contain documents, without system collections. */
export async function filledCollections(db: Db): Promise<string[]> {
  const names: string[] = [];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.startsWith('system.')) continue;
    if (await db.collection(name).findOne({}, { projection: { _id: 1 }, sort: { _id: 1 } })) names.push(name);
  }
  return names;
}

const differs = (how: string): CliError =>
  new CliError(`Source and target differ. ${how}. One of them was written to during the import.`);
