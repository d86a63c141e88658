import type { Engine } from '../engine.ts';
import { CommandError, newSlice } from '../lib/index.ts';
import { decode } from '../query/index.ts';
import {
  addDuplicateCandidate,
  type Collection,
  duplicateKey,
  type Index,
  type IndexBuild,
  type IndexSpec,
  keysOf,
  LockWait,
  NEW_INDEX_LIMITS,
  type Row,
  type Storage,
  StorageFailure,
  type Transaction,
} from '../storage/index.ts';
import type { Request } from './command.ts';
import { findSameIndex } from './index-specs.ts';

const MAX_INDEXES = 64;
/** When more duplicate candidates than this accumulate, they are checked before the end of the build. */
const MAX_DUPLICATE_CANDIDATES = 10_000;

export interface CreatedIndexes {
  numIndexesBefore: number;
  numIndexesAfter: number;
  /** The number of indexes that did not exist before. */
  created: number;
  isNewCollection: boolean;
}

/**
 * Creates the missing indexes in one pass over the records, in small steps between which other commands run. Writes
 * maintain unfinished indexes; queries use an index only when its build has finished. Keys that two records share in a
 * unique index at the end make the build fail.
 * @throws CommandError 85 or 86 for a conflicting index, 11000 or 171 for records that cannot be indexed, 276 if the
 *   collection or the index is dropped during the build; after an error none of the indexes exists
 */
export async function createMissingIndexes(
  { engine, transaction, deadline }: Request,
  ns: string,
  specs: readonly IndexSpec[],
): Promise<CreatedIndexes> {
  if (transaction) return createIndexesInTransaction(transaction, engine, ns, specs);
  const { collection, build, ...started } = await engine.queue.run(() => startMissing(engine, ns, specs), deadline);
  if (build) await completeBuild(engine, collection, build, deadline);
  return { ...started, numIndexesAfter: collection.indexes.length };
}

function startMissing(engine: Engine, ns: string, specs: readonly IndexSpec[]) {
  const existing = engine.catalog.get(ns);
  const wanted = missingAmong(specs, ns, existing);
  const numIndexesBefore = existing?.indexes.length ?? 1;
  const collection = existing ?? engine.catalog.create(ns);
  const build = wanted.length === 0 ? undefined : engine.catalog.startBuild(collection, wanted);
  if (build) step(engine, collection, build);
  return { collection, build, numIndexesBefore, created: wanted.length, isNewCollection: !existing };
}

/** As in MongoDB, a transaction can only create indexes on a collection that it created and has not written to yet. */
function createIndexesInTransaction(
  transaction: Transaction,
  { catalog }: Engine,
  ns: string,
  specs: readonly IndexSpec[],
): CreatedIndexes {
  const existing = transaction.view.collection(ns);
  const wanted = missingAmong(specs, ns, existing);
  const mayAdd = !existing || (transaction.hasCreated(existing) && !transaction.hasWritten(existing));
  if (wanted.length > 0 && !mayAdd) {
    throw new CommandError(
      263,
      `Cannot create new indexes on existing collection ${ns} in a multi-document transaction.`,
    );
  }
  const numIndexesBefore = existing?.indexes.length ?? 1;
  const collection = transaction.collectionFor(ns);
  catalog.prepareIndexes(collection, wanted);
  return {
    numIndexesBefore,
    numIndexesAfter: collection.indexes.length,
    created: wanted.length,
    isNewCollection: true,
  };
}

/** The specifications of indexes that do not exist; waits for builds in progress. */
function missingAmong(specs: readonly IndexSpec[], ns: string, existing: Collection | undefined): IndexSpec[] {
  const indexes = existing?.indexes ?? [];
  const wanted: IndexSpec[] = [];
  for (const spec of specs) {
    const same = findSameIndex<Index | IndexSpec>([...indexes, ...wanted], spec);
    if (same && 'build' in same && same.build) throw new LockWait(same.build.ended);
    if (!same && spec.name !== '_id_') wanted.push(spec);
  }
  if (indexes.length + wanted.length > MAX_INDEXES) {
    throw new CommandError(67, `too many indexes for ${ns}: at most ${MAX_INDEXES}`);
  }
  return wanted;
}

const isFinished = ({ indexes }: IndexBuild): boolean => indexes.every(({ build }) => !build);

async function completeBuild(
  engine: Engine,
  collection: Collection,
  build: IndexBuild,
  deadline?: number,
): Promise<void> {
  try {
    while (!isFinished(build)) {
      if (build.failure) throw build.failure;
      await engine.queue.run(() => step(engine, collection, build), deadline);
    }
  } catch (error) {
    if (!build.failure) engine.catalog.abortBuild(collection, build, asFailure(error));
    throw error;
  }
  collection.builds.delete(build);
  build.end();
}

const asFailure = (error: unknown): CommandError =>
  error instanceof CommandError ? error : new CommandError(8, String(error));

/** Inside a commit: continues the build for some milliseconds; finishes it when no record is left. */
function step({ storage, catalog }: Engine, collection: Collection, build: IndexBuild): void {
  if (build.failure) throw build.failure;
  const isOver = newSlice();
  try {
    for (const row of storage.recordsAfter(collection.id, build.filledTo)) {
      addEntries(storage, build, row);
      build.filledTo = row.recordId;
      if (build.duplicateCandidates.size > MAX_DUPLICATE_CANDIDATES)
        checkDuplicateCandidates(storage, collection, build);
      if (isOver()) return;
    }
    checkDuplicateCandidates(storage, collection, build);
    catalog.finishBuild(collection, build);
  } catch (error) {
    // After a failed commit the catalog restores the build as it is on disk.
    if (!(error instanceof StorageFailure)) catalog.abortBuild(collection, build, asFailure(error));
    throw error;
  }
}

/** Adds the entries of a record; entries that concurrent writes added already stay unchanged. */
function addEntries(storage: Storage, build: IndexBuild, { recordId, bytes }: Row): void {
  const document = decode(bytes);
  for (const index of build.indexes) {
    const { keys, arrayPaths, hasLongKey } = keysOf(index, document, NEW_INDEX_LIMITS);
    for (const { key, values } of keys) {
      if (index.isUnique && storage.holdersOf(key).some((id) => id !== recordId))
        addDuplicateCandidate(index, key, values);
      storage.putEntry(key, recordId);
    }
    for (const path of arrayPaths) index.multikey.add(path);
    index.hasLongKeys ||= hasLongKey;
  }
}

/** @throws CommandError 11000 if two records still share one of the keys */
function checkDuplicateCandidates(storage: Storage, collection: Collection, { duplicateCandidates }: IndexBuild): void {
  for (const { index, key, values } of duplicateCandidates.values()) {
    if (storage.holdersOf(key).length > 1) throw duplicateKey(collection, index, values);
  }
  duplicateCandidates.clear();
}

/**
 * Aborts all index builds of a collection that is dropped.
 *
 * @param why the command that drops the collection
 */
export function abortBuilds({ catalog }: Engine, collection: Collection, why: string): void {
  for (const build of [...collection.builds]) catalog.abortBuild(collection, build, aborted(collection, why));
}

/**
 * Aborts the builds of indexes that are dropped.
 *
 * @throws CommandError 27 if the same command builds an index that is not dropped
 */
export function abortBuildsOf({ catalog }: Engine, collection: Collection, indexes: readonly Index[]): void {
  const builds = new Set(indexes.flatMap(({ build }) => build ?? []));
  for (const build of builds) {
    if (build.indexes.every((index) => indexes.includes(index))) continue;
    const { name } = indexes.find((index) => index.build === build)!;
    throw new CommandError(27, `can't drop unfinished index with name: ${name}`);
  }
  for (const build of builds) catalog.abortBuild(collection, build, aborted(collection, 'dropIndexes command'));
}

const aborted = ({ ns, uuid }: Collection, why: string): CommandError =>
  new CommandError(276, `Index build failed: Collection ${ns} ( ${uuid.toString()} ) :: caused by :: ${why}`);
