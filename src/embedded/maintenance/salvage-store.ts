import { join } from 'node:path';
import { compileIndexFilter } from '../query/index.ts';
import {
  ALL_CHECKED,
  type Collection,
  checkFormat,
  createGarbage,
  DamagedFileError,
  isServed,
  type Meta,
  namesLiveOwner,
  openCatalog,
  openPageFile,
  openStorage,
  type PageFile,
  prepareFolder,
  readCollection,
  readMeta,
  readRows,
  readTreeInfo,
  type Storage,
  StorageFailure,
  type TreeInfo,
  verifiedValue,
} from '../storage/index.ts';
import { FolderError } from './open-folder.ts';
import { rebuildIndexes } from './rebuild-indexes.ts';

export interface Salvage {
  collections: number;
  documents: number;
  /** Human-readable descriptions of data that could not be copied. */
  lost: string[];
}

/** Length of the key of a record: four bytes of the collection's id, eight of the record's id. */
const RECORD_KEY_BYTES = 12;
/** Bytes of records written in one commit. */
const COMMIT_BYTES = 4 * 1024 * 1024;

/**
 * Copies the intact records and collection descriptions of a store that may be damaged into a new folder, and rebuilds
 * the indexes. Reads without LMDB, which would crash the process on a damaged page.
 *
 * @throws FolderError if a process serves the store or writes to it, a newer version wrote it, or its meta pages are
 *   damaged
 */
export async function salvageStore(from: string, to: string): Promise<Salvage> {
  if (await isServed(from)) throw servedError(from);
  const { file, meta } = openDamaged(from);
  try {
    // If the path is too long, the socket is not in the folder.
    for (const row of openSource(file, meta, newSalvage()).rows('catalog')) {
      if (await namesLiveOwner(row)) throw servedError(from);
    }
    const salvage = await copyStore({ file, meta }, to);
    if (readMeta(join(from, 'store.mdb'), file.descriptor).transaction !== meta.transaction) {
      throw new FolderError(`a process wrote to ${from} while it was copied: stop the process, then start again`);
    }
    return salvage;
  } finally {
    file.close();
  }
}

const newSalvage = (): Salvage => ({ collections: 0, documents: 0, lost: [] });

const servedError = (folder: string): FolderError => new FolderError(`a process serves ${folder}: stop it first`);

async function copyStore({ file, meta }: { file: PageFile; meta: Meta }, to: string): Promise<Salvage> {
  await prepareFolder(to);
  const storage = openStorage({ folder: to, isMemory: false });
  try {
    const salvage = newSalvage();
    const source = openSource(file, meta, salvage);
    const collections = copyCatalog(source, storage);
    copyRecords(source, storage, collections);
    buildIndexes(storage, salvage);
    await new Promise<void>((done, failed) => storage.flush((error) => (error ? failed(error) : done())));
    return salvage;
  } finally {
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

/** The tables that are copied; other data is rebuilt or belongs to the old process. */
const COPIED_TABLES: ReadonlySet<string> = new Set(['catalog', 'records']);

interface Source {
  salvage: Salvage;
  rows(table: string): ReturnType<typeof readRows>;
  /** The number of rows that a table had. */
  count(table: string): number;
}

function openSource(file: PageFile, meta: Meta, salvage: Salvage): Source {
  const read = (table: string, tree: TreeInfo) =>
    readRows({ file, meta, tree, onFault: (fault) => salvage.lost.push(`table ${table}: ${fault}`) });
  const trees = new Map<string, TreeInfo>();
  for (const { key, value } of read('of tables', meta.tables)) {
    const name = key.toString().replace(/\0$/, '');
    const tree = COPIED_TABLES.has(name) ? readTree(value) : undefined;
    if (tree) trees.set(name, tree);
  }
  return {
    salvage,
    *rows(table) {
      const tree = trees.get(table);
      if (tree) yield* read(table, tree);
      else salvage.lost.push(`table ${table}: it is missing, or its row in the table of tables is damaged`);
    },
    count: (table) => trees.get(table)?.entries ?? 0,
  };
}

/** Returns undefined for a damaged row. */
function readTree(value: Buffer): TreeInfo | undefined {
  try {
    return readTreeInfo(value, 0);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Copied {
  byId: Map<number, Collection>;
  /** Whether all records of the source have checksums. */
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
        const collection = readCollection(key.toString(), value, { version: 0, compileFilter: compileIndexFilter });
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
    if (key.length !== RECORD_KEY_BYTES) {
      salvage.lost.push(`table records: the key ${key.toString('hex')} is damaged`);
      return;
    }
    const collection = byId.get(key.readUInt32BE(0));
    const recordId = key.readUIntBE(6, 6);
    const document = verifiedValue(key, value, areChecksumsRequired);
    if (!document) {
      const place = collection?.ns ?? 'unknown collection';
      salvage.lost.push(`${place}: record ${recordId} is damaged: its checksum does not match`);
      return;
    }
    // An intact record of a dropped collection, or of a lost one that was reported.
    if (!collection) return;
    storage.putRecord(collection.id, recordId, document);
    salvage.documents++;
  }
}

/** Builds the indexes one by one; an index that cannot be built is omitted and reported. */
function buildIndexes(storage: Storage, { lost }: Salvage): void {
  const catalog = openCatalog(storage, createGarbage(storage), compileIndexFilter);
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
