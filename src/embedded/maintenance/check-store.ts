import { setImmediate as nextTurn } from 'node:timers/promises';
import { BSON, type Document } from 'bson';
import { checkDocument, DECODE, findId, runToEnd } from '../lib/index.ts';
import { compileIndexFilter } from '../query/index.ts';
import {
  type Collection,
  checkNamespace,
  DamagedRecordError,
  type Index,
  idPrefix,
  keysOf,
  prefixRange,
  readCollection,
  readEntry,
  verifiedSession,
  verifiedValue,
} from '../storage/index.ts';
import { MAX_DOCUMENT_SIZE } from '../wire/index.ts';
import { FolderError, openFolder } from './open-folder.ts';
import { type Pinned, pin } from './pin.ts';

export interface StoreCheck {
  collections: number;
  documents: number;
  entries: number;
  /** Human-readable descriptions of faults, at most {@link MAX_FAULTS}. */
  faults: string[];
  /** The total number of faults. */
  found: number;
  /** The process that serves the store during the check. */
  owner: string | undefined;
}

export const MAX_FAULTS = 200;
/** Rows that are checked before the event loop gets a turn. */
const ROWS_PER_TURN = 2_000;

interface Check extends StoreCheck {
  pinned: Pinned;
  byId: Map<number, Collection>;
  indexes: Map<number, IndexCheck>;
  /** Ids of dropped collections and indexes whose rows are still being removed. */
  garbage: ReadonlySet<string>;
  onProgress(rows: number): void;
}

interface IndexCheck {
  collection: Collection;
  index: Index;
  expected: number;
  isMissingSome: boolean;
}

/**
 * Checks a store in one snapshot, without changing it: every document can be decoded, every index entry has its
 * document and every document its entries, unique keys are unique, no data belongs to a collection or an index that
 * does not exist, and the catalog is consistent. Memory does not grow with the store.
 *
 * @param onProgress receives the number of rows read so far
 */
export async function checkStore(folder: string, onProgress: (rows: number) => void = () => {}): Promise<StoreCheck> {
  let opened: Awaited<ReturnType<typeof openFolder>>;
  try {
    opened = await openFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    return { collections: 0, documents: 0, entries: 0, faults: [error.message], found: 1, owner: undefined };
  }
  const pinned = pin(opened.storage);
  const check: Check = {
    ...{ collections: 0, documents: 0, entries: 0, faults: [], found: 0, owner: opened.owner },
    ...{ pinned, byId: new Map(), indexes: new Map(), garbage: garbageOf(pinned), onProgress },
  };
  try {
    checkCatalog(check);
    for (const checkTable of [checkRecords, checkEntries, checkOthers]) {
      await checkTable(check).catch((error: unknown) => {
        // Errors of LMDB have a number; it found a malformed page.
        if (typeof (error as { code?: unknown }).code !== 'number') throw error;
        report(check, `the file is damaged: ${textOf(error)}`);
      });
    }
  } finally {
    pinned.release();
    await opened.storage.close();
  }
  const { collections, documents, entries, faults, found, owner } = check;
  return { collections, documents, entries, faults, found, owner };
}

/**
 * The ids of rows that the catalog does not mention: dropped data is removed in small steps, and an index that is being
 * built is not in the catalog. See garbage.ts.
 */
function garbageOf({ tables, options }: Pinned): Set<string> {
  const prefix = Buffer.from('\0waste');
  const keys = [...tables.get('catalog')!.getKeys({ ...options, ...prefixRange(prefix) })];
  const kinds = ['records', 'entries'];
  return new Set(keys.map((key) => `${kinds[key[prefix.length]!]} ${key.readUInt32BE(prefix.length + 1)}`));
}

function report(check: Check, fault: string): void {
  check.found++;
  if (check.faults.length < MAX_FAULTS) check.faults.push(fault);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function checkCatalog(check: Check): void {
  const { tables, options } = check.pinned;
  const table = tables.get('catalog')!;
  const next = table.get(Buffer.from('\0nextId'), options);
  const nextId = next?.length === 4 ? next.readUInt32BE(0) : 1;
  const ownersById = new Map<number, string>();
  const assignId = (id: number, owner: string): void => {
    const other = ownersById.get(id);
    if (other) report(check, `catalog: ${owner} and ${other} have the same id ${id}`);
    if (!Number.isInteger(id) || id < 1 || id >= nextId) report(check, `catalog: ${owner} has the impossible id ${id}`);
    ownersById.set(id, owner);
  };
  for (const { key, value } of table.getRange({ ...options, start: Buffer.from([1]) })) {
    const ns = key.toString();
    try {
      checkNamespace(ns);
      const collection = readCollection(ns, value, { version: 0, compileFilter: compileIndexFilter });
      assignId(collection.id, ns);
      check.byId.set(collection.id, collection);
      check.collections++;
      const names = new Set<string>();
      for (const index of collection.indexes) {
        assignId(index.id, `${ns}, index ${index.name}`);
        if (names.has(index.name)) report(check, `catalog: ${ns} has two indexes named ${index.name}`);
        names.add(index.name);
        check.indexes.set(index.id, { collection, index, expected: 0, isMissingSome: false });
      }
      if (!names.has('_id_')) report(check, `catalog: ${ns} has no index on _id`);
    } catch (error) {
      report(check, `catalog: the description of '${ns}' cannot be read: ${textOf(error)}`);
    }
  }
}

async function checkRecords(check: Check): Promise<void> {
  const { tables, options } = check.pinned;
  const orphans = new Map<number, number>();
  let rows = 0;
  for (const { key, value } of tables.get('records')!.getRange({ ...options })) {
    if (++rows % ROWS_PER_TURN === 0) await pause(check, rows);
    if (key.length !== 12) {
      report(check, `records: a key of ${key.length} bytes`);
      continue;
    }
    const collectionId = key.readUInt32BE(0);
    const collection = check.byId.get(collectionId);
    if (collection) checkRecord(check, collection, key, value);
    else if (!check.garbage.has(`records ${collectionId}`)) {
      orphans.set(collectionId, (orphans.get(collectionId) ?? 0) + 1);
    }
  }
  for (const [id, count] of orphans) report(check, `records: ${count} of a collection that does not exist (id ${id})`);
}

function checkRecord(check: Check, collection: Collection, key: Buffer, stored: Buffer): void {
  check.documents++;
  const recordId = key.readUIntBE(6, 6);
  const name = `${collection.ns}: record ${recordId}`;
  const bytes = verifiedValue(key, stored, check.pinned.hasChecksums);
  if (!bytes) {
    report(check, `${name} is damaged: its checksum does not match`);
    return;
  }
  let document: Document;
  try {
    if (bytes.length > MAX_DOCUMENT_SIZE) report(check, `${name} is larger than any document may be`);
    if (runToEnd(checkDocument(bytes, 0, bytes.length, Number.POSITIVE_INFINITY)) !== bytes.length)
      report(check, `${name} has bytes after its end`);
    document = BSON.deserialize(bytes, DECODE);
  } catch (error) {
    report(check, `${name} cannot be decoded: ${textOf(error)}`);
    return;
  }
  if (findId(bytes)?.start !== 4) report(check, `${name} does not begin with _id`);
  for (const index of collection.indexes) {
    try {
      checkKeys(check, { index, recordId, document, name });
    } catch (error) {
      report(check, `${name} has no keys for index ${index.name}: ${textOf(error)}`);
    }
  }
}

interface RecordKeys {
  index: Index;
  recordId: number;
  document: Document;
  name: string;
}

function checkKeys(check: Check, { index, recordId, document, name }: RecordKeys): void {
  const { tables, options } = check.pinned;
  const indexCheck = check.indexes.get(index.id)!;
  const { keys, arrayPaths, hasLongKey } = keysOf(index, document);
  const suffix = encodeRecordId(recordId);
  const seen = new Set<string>();
  for (const { key } of keys) {
    const entry = Buffer.concat([key, suffix]);
    const entryName = entry.toString('latin1');
    if (keys.length > 1 && seen.has(entryName)) continue;
    seen.add(entryName);
    indexCheck.expected++;
    if (tables.get('entries')!.get(entry, options)) continue;
    indexCheck.isMissingSome = true;
    report(check, `${name} has no entry in index ${index.name}`);
  }
  const unknown = arrayPaths.find((path) => !index.multikey.has(path));
  if (unknown) report(check, `${name} has an array at ${unknown} that is not recorded in index ${index.name}`);
  if (hasLongKey && !index.hasLongKeys)
    report(check, `${name} has a long key that is not recorded in index ${index.name}`);
}

function encodeRecordId(recordId: number): Buffer {
  const suffix = Buffer.alloc(8);
  suffix.writeUIntBE(recordId, 2, 6);
  return suffix;
}

/**
 * Counts the entries of each index and compares unique keys. Searches an index for orphaned entries only if an entry is
 * missing or their number is wrong.
 */
async function checkEntries(check: Check): Promise<void> {
  const { tables, options } = check.pinned;
  const counts = new Map<number, number>();
  let before: Buffer | undefined;
  for (const key of tables.get('entries')!.getKeys({ ...options })) {
    if (++check.entries % ROWS_PER_TURN === 0) await pause(check, check.documents + check.entries);
    if (key.length < 12) {
      report(check, `entries: a key of ${key.length} bytes`);
      continue;
    }
    const indexId = key.readUInt32BE(0);
    counts.set(indexId, (counts.get(indexId) ?? 0) + 1);
    const indexCheck = check.indexes.get(indexId);
    if (indexCheck?.index.isUnique && before?.subarray(0, -8).equals(key.subarray(0, -8))) {
      report(
        check,
        `${indexCheck.collection.ns}: two records have the same key in the unique index ${indexCheck.index.name}`,
      );
    }
    before = key;
  }
  for (const [id, count] of counts) {
    if (check.indexes.has(id) || check.garbage.has(`entries ${id}`)) continue;
    report(check, `entries: ${count} of an index that does not exist (id ${id})`);
  }
  for (const [id, indexCheck] of check.indexes) {
    if (indexCheck.isMissingSome || indexCheck.expected !== (counts.get(id) ?? 0))
      reportOrphanedEntries(check, indexCheck);
  }
}

/** Reports the entries of an index that belong to no document. */
function reportOrphanedEntries(check: Check, { collection, index }: IndexCheck): void {
  const { reader } = check.pinned;
  for (const { key, recordId } of reader.scanEntries(prefixRange(idPrefix(index.id)))) {
    const bytes = readIntact(() => reader.record(collection.id, recordId));
    if (bytes === DAMAGED) continue;
    const what = `${collection.ns}: index ${index.name} has an entry of record ${recordId}`;
    if (!bytes) report(check, `${what}, which does not exist`);
    else if (!hasKey(index, bytes, key.subarray(0, -8))) report(check, `${what}, whose value is another`);
  }
}

/** Undecodable documents are reported with their record. */
const DAMAGED = Symbol('damaged');

function readIntact<Result>(read: () => Result): Result | typeof DAMAGED {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRecordError) return DAMAGED;
    throw error;
  }
}

function hasKey(index: Index, bytes: Buffer, key: Buffer): boolean {
  try {
    return keysOf(index, BSON.deserialize(bytes, DECODE)).keys.some((other) => other.key.equals(key));
  } catch {
    // Reported with the record.
    return true;
  }
}

/** Checks the rows of the other tables; tables of later versions are only read. */
const ROW_CHECKS: Readonly<Record<string, (key: Buffer, bytes: Buffer) => void>> = {
  sessions: (key, bytes) => void BSON.deserialize(verifiedSession(key, bytes), DECODE),
  changes: checkChange,
};

async function checkOthers(check: Check): Promise<void> {
  const { tables, options } = check.pinned;
  for (const [name, table] of tables) {
    if (['catalog', 'records', 'entries'].includes(name)) continue;
    let rows = 0;
    for (const { key, value } of table.getRange({ ...options })) {
      if (++rows % ROWS_PER_TURN === 0) await nextTurn();
      try {
        ROW_CHECKS[name]?.(key, value);
      } catch (error) {
        report(check, `${name}: a row cannot be decoded: ${textOf(error)}`);
      }
    }
  }
}

/** Checks a row of the change log; one row is not a change but the start of the log. */
function checkChange(key: Buffer, bytes: Buffer): void {
  if (key.length === 1) return;
  if (key.length !== 12) throw new Error(`a key of ${key.length} bytes`);
  const { kind, payload } = readEntry({ key, bytes, log: Buffer.alloc(0) });
  if (kind === undefined) throw new Error('an unknown kind of change');
  for (let at = 0; at < payload.length; )
    at = runToEnd(checkDocument(payload, at, payload.length, Number.POSITIVE_INFINITY));
}

async function pause(check: Check, rows: number): Promise<void> {
  check.onProgress(rows);
  await nextTurn();
}
