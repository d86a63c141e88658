import type { Document } from 'bson';
import { CommandError, describe, type Encoded, fieldOf, isDocument } from '../lib/index.ts';
import type { Catalog, Collection, Index } from './catalog.ts';
import { type DocumentKeys, type IndexKey, KeyBudget, keysOf } from './index-entries.ts';
import type { Storage } from './storage.ts';

/** A version of a record, encoded and decoded. */
export type Version = Encoded;

/** One record before and after a write; an insert has no `before`, a delete no `after`. */
export interface Change {
  collection: Collection;
  recordId: number;
  before: Version | undefined;
  after: Version | undefined;
  /** The `updateDescription` for change events; absent if the document was replaced. */
  description?: Document | undefined;
}

/** The effect of a change on one index. */
export interface IndexChange {
  index: Index;
  removed: IndexKey[];
  added: IndexKey[];
  arrayPaths: string[];
  hasLongKey: boolean;
}

/** The entries that a change removes from an index and adds to it, without the unchanged ones. */
function indexChangeOf(index: Index, before?: DocumentKeys, after?: DocumentKeys): IndexChange | undefined {
  const removed = keysWithout(before?.keys ?? [], after?.keys ?? []);
  const added = keysWithout(after?.keys ?? [], before?.keys ?? []);
  if (removed.length === 0 && added.length === 0) return undefined;
  return { index, removed, added, arrayPaths: after?.arrayPaths ?? [], hasLongKey: after?.hasLongKey ?? false };
}

function keysWithout(keys: IndexKey[], others: readonly IndexKey[]): IndexKey[] {
  if (keys.length * others.length < 64) {
    return keys.filter(({ key }) => !others.some((other) => other.key.equals(key)));
  }
  const known = new Set(others.map(({ key }) => key.toString('latin1')));
  return keys.filter(({ key }) => !known.has(key.toString('latin1')));
}

/** A change with its effects on the indexes, ready to be checked and applied. */
export interface PreparedChange extends Change {
  indexChanges: IndexChange[];
  /** Why an index cannot accept the document. As in MongoDB, a duplicate key in an earlier index is reported first. */
  failure?: CommandError;
}

export function prepare(change: Change): PreparedChange {
  const indexChanges: IndexChange[] = [];
  const { before, after } = change;
  const { indexes: all } = change.collection;
  const indexes = before && after ? all.filter((index) => !keepsKey(index, before.document, after.document)) : all;
  try {
    const keysBefore = before ? indexes.map((index) => keysOf(index, before.document)) : [];
    const budget = new KeyBudget(keysBefore);
    for (const [i, index] of indexes.entries()) {
      const keysAfter = after && keysOf(index, after.document, budget.limitsOf(keysBefore[i]));
      if (keysAfter) budget.spend(keysAfter);
      const indexChange = indexChangeOf(index, keysBefore[i], keysAfter);
      if (indexChange) indexChanges.push(indexChange);
    }
  } catch (failure) {
    if (failure instanceof CommandError) return { ...change, indexChanges, failure };
    throw failure;
  }
  return { ...change, indexChanges };
}

/**
 * Whether an index certainly has the same single key for both versions of a record: the values of its fields are the same
 * objects, which updates share, and no arrays or documents.
 */
function keepsKey({ paths, partial }: Index, before: Document, after: Document): boolean {
  if (partial) return false;
  return paths.every((path) => {
    const dot = path.indexOf('.');
    const name = dot < 0 ? path : path.slice(0, dot);
    const value = fieldOf(before, name);
    // A sparse index distinguishes a value of BSON's type undefined from a missing one.
    const isSame = value === fieldOf(after, name) && Object.hasOwn(before, name) === Object.hasOwn(after, name);
    return isSame && !Array.isArray(value) && !isDocument(value);
  });
}

/**
 * Applies changes to records and index entries, inside a commit. All changes are checked before the first is applied,
 * so an error leaves nothing behind. All changes to records are made here or in {@link applyChecked}, in commit order.
 *
 * @throws CommandError 11000 for a duplicate key
 */
export function applyChanges(changes: readonly PreparedChange[], storage: Storage, catalog: Catalog): void {
  checkUnique(changes, storage);
  applyChecked(changes, storage, catalog);
}

/** Applies changes whose unique keys are known to be free. */
export function applyChecked(changes: readonly PreparedChange[], storage: Storage, catalog: Catalog): void {
  for (const { recordId, indexChanges } of changes) {
    for (const { key } of indexChanges.flatMap(({ removed }) => removed)) storage.removeEntry(key, recordId);
  }
  for (const change of changes) {
    const { collection, recordId, after } = change;
    for (const indexChange of change.indexChanges) {
      for (const { key } of indexChange.added) storage.putEntry(key, recordId);
      recordKeyTraits(indexChange, collection, catalog);
    }
    if (after) storage.putRecord(collection.id, recordId, after.bytes);
    else storage.removeRecord(collection.id, recordId);
  }
}

function checkUnique(changes: readonly PreparedChange[], storage: Storage): void {
  const freed = new Set<string>();
  const taken = new Set<string>();
  if (changes.length > 1) {
    for (const { recordId, indexChanges } of changes) {
      for (const { key } of indexChanges.flatMap(({ removed }) => removed)) freed.add(entryName(key, recordId));
    }
  }
  for (const { collection, recordId, indexChanges, failure } of changes) {
    for (const { index, added } of indexChanges) {
      if (!index.isUnique) continue;
      for (const { key, values } of added) {
        const isHeld = storage.holdersOf(key).some((id) => id !== recordId && !freed.has(entryName(key, id)));
        if (isHeld || taken.has(key.toString('latin1'))) {
          if (!index.build) throw duplicateKey(collection, index, values);
          addDuplicateCandidate(index, key, values);
        }
        if (changes.length > 1) taken.add(key.toString('latin1'));
      }
    }
    if (failure) throw failure;
  }
}

/** Remembers a key that two records share in a unique index that is being built; either may change before its end. */
export function addDuplicateCandidate(index: Index, key: Buffer, values: readonly unknown[]): void {
  index.build?.duplicateCandidates.set(key.toString('latin1'), { index, key, values });
}

const entryName = (key: Buffer, recordId: number): string => `${recordId}/${key.toString('latin1')}`;

/** Records in the catalog that an index contains arrays or long keys: the planner's choices depend on it. */
function recordKeyTraits(
  { index, arrayPaths, hasLongKey }: IndexChange,
  collection: Collection,
  catalog: Catalog,
): void {
  if ((!hasLongKey || index.hasLongKeys) && arrayPaths.every((path) => index.multikey.has(path))) return;
  index.hasLongKeys ||= hasLongKey;
  for (const path of arrayPaths) index.multikey.add(path);
  if (!index.build) catalog.save(collection);
}

/** MongoDB's duplicate key error, with the key's pattern and value for programs. */
export function duplicateKey(collection: Collection, index: Index, values: readonly unknown[]): CommandError {
  const keyValue = Object.fromEntries(index.paths.map((path, i) => [path, values[i] ?? null]));
  const text = index.paths.map((path, i) => `${path}: ${describe(values[i] ?? null)}`).join(', ');
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${collection.ns} index: ${index.name} dup key: { ${text} }`,
    { details: { keyPattern: index.key, keyValue } },
  );
}
