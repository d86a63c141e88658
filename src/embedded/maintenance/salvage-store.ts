import { join } from 'node:path';
import { type Collection, openCatalog } from '../catalog.ts';
import { readCollection } from '../catalog-format.ts';
import { verifiedValue } from '../checksum.ts';
import { StorageFailure } from '../disk-room.ts';
import { DamagedFileError } from '../file/damaged-file.ts';
import { type Meta, readMeta, readTreeInfo, type TreeInfo } from '../file/meta.ts';
import { openPageFile, type PageFile } from '../file/page-file.ts';
import { readRows } from '../file/read-rows.ts';
import { checkFormat, isServed, prepareFolder } from '../folder.ts';
import { rebuildIndexes } from '../rebuild-indexes.ts';
import { ALL_CHECKED, openStorage, type Storage } from '../storage.ts';
import { createWaste } from '../waste.ts';
import { FolderError } from './open-folder.ts';

export interface Salvage {
  collections: number;
  documents: number;
  /** What could not be copied, in words for people. */
  lost: string[];
}

/** Bytes of records that are written in one commit. */
const COMMIT_BYTES = 4 * 1024 * 1024;

/**
 * Copies the intact records and the descriptions of collections of a store that may be damaged into a new folder, and
 * builds the indexes again. Reads without lmdb, which would end the process on a damaged page.
 *
 * @throws FolderError when a process serves the store, when a newer version wrote it, and when its head is damaged
 */
export async function salvageStore(from: string, to: string): Promise<Salvage> {
  if (await isServed(from)) throw new FolderError(`a process serves ${from}: stop it first`);
  const { file, meta } = openDamaged(from);
  prepareFolder(to);
  const storage = openStorage({ folder: to, isMemory: false });
  try {
    const salvage: Salvage = { collections: 0, documents: 0, lost: [] };
    const source = openSource(file, meta, salvage);
    const collections = copyCatalog(source, storage);
    copyRecords(source, storage, collections);
    buildIndexes(storage, salvage);
    await new Promise<void>((done, failed) => storage.flush((error) => (error ? failed(error) : done())));
    return salvage;
  } finally {
    file.close();
    await storage.close();
  }
}

/** @throws FolderError */
function openDamaged(folder: string): { file: PageFile; meta: Meta } {
  const path = join(folder, 'store.mdb');
  const file = openPageFile(path);
  try {
    checkFormat(folder);
    return { file, meta: readMeta(path, file.descriptor) };
  } catch (error) {
    file.close();
    const fault = error instanceof DamagedFileError ? error.fault : (error as Error).message;
    throw new FolderError(`nothing can be copied: ${fault}`);
  }
}

interface Source {
  salvage: Salvage;
  rows(table: string): ReturnType<typeof readRows>;
  /** How many rows a table had. */
  count(table: string): number;
}

function openSource(file: PageFile, meta: Meta, salvage: Salvage): Source {
  const read = (table: string, tree: TreeInfo) =>
    readRows({ file, meta, tree, onFault: (fault) => salvage.lost.push(`table ${table}: ${fault}`) });
  const trees = new Map<string, TreeInfo>();
  for (const { key, value } of read('of tables', meta.tables)) {
    trees.set(key.toString().replace(/\0$/, ''), readTreeInfo(value, 0));
  }
  return {
    salvage,
    *rows(table) {
      const tree = trees.get(table);
      if (tree) yield* read(table, tree);
      else salvage.lost.push(`table ${table}: it is missing`);
    },
    count: (table) => trees.get(table)?.entries ?? 0,
  };
}

interface Copied {
  byId: Map<number, Collection>;
  /** Whether the source held no record without a checksum. */
  areChecksumsRequired: boolean;
}

function copyCatalog({ rows, salvage }: Source, storage: Storage): Copied {
  const copied: Copied = { byId: new Map(), areChecksumsRequired: false };
  let lastId = 0;
  storage.commit(() => {
    for (const { key, value } of rows('catalog')) {
      if (key.equals(ALL_CHECKED)) copied.areChecksumsRequired = true;
      if (key[0] === 0) continue;
      try {
        const collection = readCollection(key.toString(), value, 0);
        copied.byId.set(collection.id, collection);
        lastId = Math.max(lastId, collection.id, ...collection.indexes.map(({ id }) => id));
        storage.catalog.putSync(key, value);
        salvage.collections++;
      } catch (error) {
        salvage.lost.push(`${error instanceof Error ? error.message : String(error)}; its records are lost`);
      }
    }
    const nextId = Buffer.alloc(4);
    nextId.writeUInt32BE(lastId + 1);
    storage.catalog.putSync(Buffer.from('\0nextId'), nextId);
  });
  return copied;
}

function copyRecords({ rows, count, salvage }: Source, storage: Storage, { byId, areChecksumsRequired }: Copied): void {
  const records = rows('records');
  let read = 0;
  for (let isDone = false; !isDone; ) {
    storage.commit(() => {
      for (let bytes = 0; bytes < COMMIT_BYTES; ) {
        const { value: row, done } = records.next();
        if (done) {
          isDone = true;
          return;
        }
        read++;
        bytes += row.value.length;
        copyRecord(row);
      }
    });
  }
  const unread = count('records') - read;
  if (unread > 0)
    salvage.lost.push(`table records: ${unread} of ${count('records')} records are on pages that cannot be read`);

  function copyRecord({ key, value }: { key: Buffer; value: Buffer }): void {
    const collection = key.length === 12 ? byId.get(key.readUInt32BE(0)) : undefined;
    // Of a collection that was dropped, or is lost and reported.
    if (!collection) return;
    const recordId = key.readUIntBE(6, 6);
    const document = verifiedValue(key, value, areChecksumsRequired);
    if (!document) {
      salvage.lost.push(`${collection.ns}: record ${recordId} is damaged: its checksum does not match`);
      return;
    }
    storage.putRecord(collection.id, recordId, document);
    salvage.documents++;
  }
}

/** One after another, so that an index that cannot be built is left out and reported. */
function buildIndexes(storage: Storage, { lost }: Salvage): void {
  const catalog = openCatalog(storage, createWaste(storage));
  for (const collection of catalog.list()) {
    for (const index of [...collection.indexes]) {
      try {
        rebuildIndexes({ storage, catalog, damaged: [index.id], warn: () => undefined });
      } catch (error) {
        if (index.name === '_id_' || error instanceof StorageFailure) throw error;
        lost.push(`${(error as Error).message}; it is left out`);
        storage.commit(() => catalog.dropIndex(collection, index));
      }
    }
  }
}
