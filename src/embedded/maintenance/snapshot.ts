import type { Document } from 'bson';
import { compileIndexFilter } from '../query/index.ts';
import { type Collection, describeIndex, idPrefix, prefixRange, readCollection } from '../storage/index.ts';
import { openFolder } from './open-folder.ts';
import { pin } from './pin.ts';

export interface SnapshotCollection {
  db: string;
  name: string;
  uuid: string;
  documents: number;
  /** The indexes in the format of `listIndexes`. */
  indexes: Document[];
}

/** A snapshot of a whole store, which another process may be serving. */
export interface StoreSnapshot {
  /** The process that serves the store, if any. */
  owner: string | undefined;
  collections: SnapshotCollection[];
  /** The stored bytes of a collection's documents, ordered by `_id`. */
  documents(collection: SnapshotCollection): Generator<Buffer>;
  close(): Promise<void>;
}

/** @throws FolderError if there is no store, or one that this version cannot read */
export async function openSnapshot(folder: string): Promise<StoreSnapshot> {
  const { storage, owner } = await openFolder(folder);
  const pinned = pin(storage);
  const { reader, options, tables } = pinned;
  const stored = new Map<SnapshotCollection, Collection>();
  for (const { key, value } of tables.get('catalog')!.getRange({ ...options, start: Buffer.from([1]) })) {
    const collection = readCollection(key.toString(), value, { version: 0, compileFilter: compileIndexFilter });
    const { id, db, name, uuid, indexes } = collection;
    stored.set(
      { db, name, uuid: uuid.toString(), documents: reader.countRecords(id), indexes: indexes.map(describeIndex) },
      collection,
    );
  }
  return {
    owner,
    collections: [...stored.keys()],
    *documents(of) {
      const { id, indexes } = stored.get(of)!;
      const byId = indexes.find(({ name }) => name === '_id_')!;
      for (const { recordId } of reader.scanEntries(prefixRange(idPrefix(byId.id)))) {
        const bytes = reader.record(id, recordId);
        if (!bytes) throw new Error(`the store is damaged: ${of.db}.${of.name} has an entry without its document`);
        yield bytes;
      }
    },
    async close() {
      pinned.release();
      await storage.close();
    },
  };
}
