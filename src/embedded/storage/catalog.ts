import { BSON, type Document, Int32, UUID } from 'bson';
import { CommandError, type Direction, type Filter } from '../lib/index.ts';
import { describeCollection, readCollection } from './catalog-format.ts';
import { withChecksum } from './checksum.ts';
import type { Garbage } from './garbage.ts';
import type { Storage } from './storage.ts';

export interface Index {
  id: number;
  name: string;
  paths: string[];
  directions: Direction[];
  /** The key specification as created, for replies. */
  key: Document;
  isUnique: boolean;
  isSparse: boolean;
  /** The option as created: it is listed and has no other effect, as in MongoDB. */
  background?: unknown;
  expireAfterSeconds?: number;
  partial?: { expression: Document; filter: Filter };
  /** The paths on which at least one document has had an array. */
  multikey: Set<string>;
  /**
   * Whether a key was too long and was stored truncated. Such entries lead to documents, but neither their order nor
   * a match can be derived from them.
   */
  hasLongKeys: boolean;
  /** The storage version at which the build finished; older snapshots do not contain all entries. */
  builtAt: number;
  /** Set during the build: writes maintain the index, queries must not use it. */
  build?: IndexBuild;
  /** Set when the index is dropped, for scans that are suspended in it. */
  isDropped?: boolean;
}

/** The indexes that one command builds over existing records, while other writes continue. */
export interface IndexBuild {
  indexes: Index[];
  /** Every record up to this id has its entries. */
  filledTo: number;
  /** Keys of unique indexes that two records have shared, by key; checked at the end of the build. */
  duplicateCandidates: Map<string, { index: Index; key: Buffer; values: readonly unknown[] }>;
  /** Why the build was aborted. */
  failure?: CommandError;
  /** Settles when the build has finished or was aborted. */
  ended: Promise<void>;
  end(): void;
}

export interface Collection {
  id: number;
  db: string;
  name: string;
  ns: string;
  uuid: UUID;
  /** Includes indexes that are being built. */
  indexes: Index[];
  builds: Set<IndexBuild>;
  nextRecordId: number;
  /** The storage version at which the collection was created; older snapshots do not contain it. */
  builtAt: number;
  isDropped?: boolean;
}

/** Compiles the filter expression of a partial index; the query language provides it. */
export type FilterCompiler = (expression: Document) => Filter;

export type IndexSpec = Omit<Index, 'id' | 'multikey' | 'hasLongKeys' | 'builtAt' | 'build' | 'isDropped'>;

/** The collections and indexes: kept in memory, and written through in the caller's transaction. */
export interface Catalog {
  get(ns: string): Collection | undefined;
  /** The current collections by namespace; the returned map never changes. */
  snapshot(): ReadonlyMap<string, Collection>;
  list(db?: string): Collection[];
  databases(): string[];
  /** Inside a commit: creates an empty collection with its `_id` index. */
  create(ns: string): Collection;
  /** Returns an empty collection that exists only for the caller until it is passed to {@link Catalog.add}. */
  prepare(ns: string): Collection;
  /** Adds indexes to a prepared collection that holds no records yet. */
  prepareIndexes(collection: Collection, specs: readonly IndexSpec[]): void;
  /** Inside a commit: publishes a prepared collection. */
  add(collection: Collection): void;
  /** Inside a commit: removes the collection; {@link Garbage} removes its records and entries later. */
  drop(collection: Collection): void;
  /** Inside a commit: starts a build of empty indexes. A crash before its end removes them. */
  startBuild(collection: Collection, specs: readonly IndexSpec[]): IndexBuild;
  /** Inside a commit: finishes a build. */
  finishBuild(collection: Collection, build: IndexBuild): void;
  /** Aborts a build in memory; its entries are registered as garbage already. */
  abortBuild(collection: Collection, build: IndexBuild, why: CommandError): void;
  /** Inside a commit: removes the index; {@link Garbage} removes its entries later. */
  dropIndex(collection: Collection, index: Index): void;
  /** Inside a commit: stores the changed description of a collection. */
  save(collection: Collection): void;
  /** Whether entries under this id belong to an index that is being built. */
  isBuilding(indexId: number): boolean;
  /** Restores the stored state after a failed commit. Collections and indexes keep their object identity. */
  reload(): void;
}

const NEXT_ID_KEY = Buffer.from('\0nextId');
const MAX_NAMESPACE_BYTES = 255;

export function openCatalog(storage: Storage, garbage: Garbage, compileFilter: FilterCompiler): Catalog {
  /** Replaced on each change, never modified: see {@link Catalog.snapshot}. */
  let collections: ReadonlyMap<string, Collection> = new Map();
  let nextId = 1;

  const saveNextId = (): void => void storage.catalog.putSync(NEXT_ID_KEY, idBytes(nextId));

  function newIndex(spec: IndexSpec): Index {
    return { ...spec, id: nextId++, multikey: new Set(), hasLongKeys: false, builtAt: storage.version + 1 };
  }

  function collectionsWithout(ns: string): Map<string, Collection> {
    const others = new Map(collections);
    others.delete(ns);
    return others;
  }

  const catalog: Catalog = {
    get: (ns) => collections.get(ns),
    snapshot: () => collections,
    list: (db) => [...collections.values()].filter((collection) => db === undefined || collection.db === db),
    databases: () => [...new Set([...collections.values()].map((collection) => collection.db))].sort(),
    create(ns) {
      const collection = catalog.prepare(ns);
      catalog.add(collection);
      return collection;
    },
    prepare(ns) {
      checkNamespace(ns);
      const dot = ns.indexOf('.');
      const collection: Collection = {
        id: nextId++,
        db: ns.slice(0, dot),
        name: ns.slice(dot + 1),
        ns,
        uuid: new UUID(),
        indexes: [],
        builds: new Set(),
        nextRecordId: 1,
        builtAt: storage.version + 1,
      };
      collection.indexes = [newIndex(ID_INDEX)];
      return collection;
    },
    prepareIndexes(collection, specs) {
      collection.indexes = [...collection.indexes, ...specs.map(newIndex)];
    },
    add(collection) {
      collection.builtAt = storage.version + 1;
      for (const index of collection.indexes) index.builtAt = collection.builtAt;
      collections = new Map(collections).set(collection.ns, collection);
      saveNextId();
      catalog.save(collection);
    },
    drop(collection) {
      garbage.add('records', collection.id);
      for (const index of collection.indexes) if (!index.build) garbage.add('entries', index.id);
      storage.catalog.removeSync(Buffer.from(collection.ns));
      collections = collectionsWithout(collection.ns);
      collection.isDropped = true;
    },
    startBuild(collection, specs) {
      const build = newBuild(specs.map(newIndex));
      saveNextId();
      for (const index of build.indexes) {
        index.build = build;
        garbage.add('entries', index.id);
      }
      collection.builds.add(build);
      collection.indexes = [...collection.indexes, ...build.indexes];
      return build;
    },
    finishBuild(collection, build) {
      for (const index of build.indexes) {
        delete index.build;
        index.builtAt = storage.version + 1;
        garbage.unregister('entries', index.id);
      }
      catalog.save(collection);
    },
    abortBuild(collection, build, why) {
      build.failure ??= why;
      collection.builds.delete(build);
      collection.indexes = collection.indexes.filter((index) => !build.indexes.includes(index));
      build.end();
      garbage.wake();
    },
    dropIndex(collection, index) {
      garbage.add('entries', index.id);
      collection.indexes = collection.indexes.filter((other) => other !== index);
      index.isDropped = true;
      catalog.save(collection);
    },
    save(collection) {
      const key = Buffer.from(collection.ns);
      storage.catalog.putSync(key, withChecksum(key, BSON.serialize(describeCollection(collection))));
    },
    isBuilding: (indexId) =>
      [...collections.values()].some(({ builds }) =>
        [...builds].some(({ indexes }) => indexes.some(({ id }) => id === indexId)),
      ),
    reload() {
      const next = storage.catalog.get(NEXT_ID_KEY);
      // An open transaction may hold ids that are not on disk; they must not be assigned twice.
      nextId = Math.max(nextId, next ? next.readUInt32BE(0) : 1);
      const known = [...collections.values()];
      const found = new Map<string, Collection>();
      for (const { key, value } of storage.catalog.getRange({ start: Buffer.from([1]) })) {
        const stored = readCollection(key.toString(), value, { version: storage.version, compileFilter });
        const collection = known.find(({ id, ns }) => id === stored.id && ns === stored.ns) ?? stored;
        collection.indexes = stored.indexes.map((index) => knownIndex(collection, index));
        for (const build of collection.builds) restoreBuild(collection, build);
        // Open transactions hold record ids that are not on disk yet.
        collection.nextRecordId = Math.max(collection.nextRecordId, storage.lastRecordId(collection.id) + 1);
        found.set(collection.ns, collection);
      }
      collections = found;
    },
  };

  /** Resets a build to its stored state after a failed commit: absent, unfinished or finished. */
  function restoreBuild(collection: Collection, build: IndexBuild): void {
    const isWhole = build.indexes.every(({ id }) => collection.indexes.some((index) => index.id === id));
    if (isWhole) return;
    if (!build.indexes.every(({ id }) => garbage.has('entries', id))) {
      collection.builds.delete(build);
      build.end();
      return;
    }
    for (const index of build.indexes) index.build = build;
    collection.indexes = [...collection.indexes, ...build.indexes];
  }

  catalog.reload();
  return catalog;
}

/** Updates the known index object with its stored description. */
function knownIndex(collection: Collection, stored: Index): Index {
  const known = [...collection.indexes, ...[...collection.builds].flatMap(({ indexes }) => indexes)].find(
    ({ id }) => id === stored.id,
  );
  // For a collection that is read for the first time, both are the same object.
  if (!known || known === stored) return stored;
  delete known.expireAfterSeconds;
  const { multikey, hasLongKeys, expireAfterSeconds } = stored;
  return Object.assign(known, {
    multikey,
    hasLongKeys,
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  });
}

function newBuild(indexes: Index[]): IndexBuild {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { indexes, filledTo: 0, duplicateCandidates: new Map(), ended, end };
}

const ID_INDEX: IndexSpec = {
  name: '_id_',
  paths: ['_id'],
  directions: [1],
  key: { _id: new Int32(1) },
  isUnique: true,
  isSparse: false,
};

function idBytes(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id, 0);
  return bytes;
}

export const isDatabaseName = (db: string): boolean => db !== '' && !/[/\\. "$\0]/.test(db);

/** @throws CommandError 73 for a name that MongoDB rejects */
export function checkNamespace(ns: string): void {
  const dot = ns.indexOf('.');
  const [db, name] = [ns.slice(0, dot), ns.slice(dot + 1)];
  const isLegal = dot > 0 && isDatabaseName(db) && name !== '' && !/[$\0]/.test(name) && !name.startsWith('.');
  if (!isLegal || Buffer.byteLength(ns) > MAX_NAMESPACE_BYTES) {
    throw new CommandError(73, `Invalid namespace specified '${ns}'`);
  }
}
