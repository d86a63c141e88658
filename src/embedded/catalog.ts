import { BSON, type Document, Int32, UUID } from 'bson';
import { CommandError } from './language/errors.ts';
import { compileFilter } from './language/filter.ts';
import { DECODE, type Direction, type Filter } from './language/types.ts';
import { toNumber } from './language/values.ts';
import type { Storage } from './storage.ts';

export interface Index {
  id: number;
  name: string;
  paths: string[];
  directions: Direction[];
  /** The key as it was given, for replies. */
  key: Document;
  isUnique: boolean;
  isSparse: boolean;
  expireAfterSeconds?: number;
  partial?: { expression: Document; filter: Filter };
  /** The paths on which some document has had an array. */
  multikey: Set<string>;
  /** Some key was too long to be stored whole: its entries find documents but do not order or prove anything. */
  hasLongKeys: boolean;
  /** The storage version that first had it: older snapshots do not hold its entries. */
  builtAt: number;
}

export interface Collection {
  id: number;
  db: string;
  name: string;
  ns: string;
  uuid: UUID;
  indexes: Index[];
  nextRecordId: number;
  /** The storage version that first had it: older snapshots hold nothing of it. */
  builtAt: number;
}

export type IndexSpec = Omit<Index, 'id' | 'multikey' | 'hasLongKeys' | 'builtAt'>;

/** What collections and indexes there are; in memory, and written through in the transaction of the caller. */
export interface Catalog {
  get(ns: string): Collection | undefined;
  list(db?: string): Collection[];
  databases(): string[];
  /** Inside a commit: creates an empty collection with its `_id` index. */
  create(ns: string): Collection;
  /** Inside a commit: removes the collection with its records and entries. */
  drop(collection: Collection): void;
  /** Inside a commit: adds an index without entries. */
  addIndex(collection: Collection, spec: IndexSpec): Index;
  /** Inside a commit: removes the index with its entries. */
  dropIndex(collection: Collection, index: Index): void;
  /** Inside a commit: writes down what has changed in a collection's description. */
  save(collection: Collection): void;
  /** Reads everything again, after a commit has failed. */
  reload(): void;
}

const NEXT_ID_KEY = Buffer.from('\0nextId');
const MAX_NAMESPACE_BYTES = 255;
const MAX_INDEXES = 64;

export function openCatalog(storage: Storage): Catalog {
  const collections = new Map<string, Collection>();
  let nextId = 1;

  function takeId(): number {
    const id = nextId++;
    storage.catalog.putSync(NEXT_ID_KEY, idBytes(nextId));
    return id;
  }

  const catalog: Catalog = {
    get: (ns) => collections.get(ns),
    list: (db) => [...collections.values()].filter((collection) => db === undefined || collection.db === db),
    databases: () => [...new Set([...collections.values()].map((collection) => collection.db))].sort(),
    create(ns) {
      checkNamespace(ns);
      const dot = ns.indexOf('.');
      const collection: Collection = {
        id: takeId(),
        db: ns.slice(0, dot),
        name: ns.slice(dot + 1),
        ns,
        uuid: new UUID(),
        indexes: [],
        nextRecordId: 1,
        builtAt: storage.version + 1,
      };
      collections.set(ns, collection);
      catalog.addIndex(collection, ID_INDEX);
      return collection;
    },
    drop(collection) {
      storage.clearRecords(collection.id);
      for (const index of collection.indexes) storage.clearEntries(index.id);
      storage.catalog.removeSync(Buffer.from(collection.ns));
      collections.delete(collection.ns);
    },
    addIndex(collection, spec) {
      if (collection.indexes.length >= MAX_INDEXES) {
        throw new CommandError(67, `too many indexes for ${collection.ns}: at most ${MAX_INDEXES}`);
      }
      const index: Index = {
        ...spec,
        id: takeId(),
        multikey: new Set(),
        hasLongKeys: false,
        builtAt: storage.version + 1,
      };
      collection.indexes = [...collection.indexes, index];
      catalog.save(collection);
      return index;
    },
    dropIndex(collection, index) {
      storage.clearEntries(index.id);
      collection.indexes = collection.indexes.filter((other) => other !== index);
      catalog.save(collection);
    },
    save(collection) {
      storage.catalog.putSync(Buffer.from(collection.ns), BSON.serialize(describeCollection(collection)) as Buffer);
    },
    reload() {
      collections.clear();
      const next = storage.catalog.get(NEXT_ID_KEY);
      nextId = next ? next.readUInt32BE(0) : 1;
      for (const { key, value } of storage.catalog.getRange({ start: Buffer.from([1]) })) {
        const collection = readCollection(key.toString(), value);
        collection.nextRecordId = storage.lastRecordId(collection.id) + 1;
        collections.set(collection.ns, collection);
      }
    },
  };
  catalog.reload();
  return catalog;
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

/** @throws CommandError 73 for a name MongoDB would not take either */
export function checkNamespace(ns: string): void {
  const dot = ns.indexOf('.');
  const [db, name] = [ns.slice(0, dot), ns.slice(dot + 1)];
  const isLegal = dot > 0 && name !== '' && !/[/\\. "$\0]/.test(db) && !/[$\0]/.test(name) && !name.startsWith('.');
  if (!isLegal || Buffer.byteLength(ns) > MAX_NAMESPACE_BYTES) {
    throw new CommandError(73, `Invalid namespace specified '${ns}'`);
  }
}

/** An index as `listIndexes` shows it. */
export function describeIndex(index: Index): Document {
  return {
    v: new Int32(2),
    key: index.key,
    name: index.name,
    ...(index.isUnique && index.name !== '_id_' && { unique: true }),
    ...(index.isSparse && { sparse: true }),
    ...(index.expireAfterSeconds !== undefined && { expireAfterSeconds: new Int32(index.expireAfterSeconds) }),
    ...(index.partial && { partialFilterExpression: index.partial.expression }),
  };
}

function describeCollection(collection: Collection): Document {
  return {
    id: collection.id,
    uuid: collection.uuid,
    indexes: collection.indexes.map((index) => ({
      ...describeIndex(index),
      id: index.id,
      multikey: [...index.multikey],
      hasLongKeys: index.hasLongKeys,
    })),
  };
}

function readCollection(ns: string, bytes: Buffer): Collection {
  const { id, uuid, indexes } = BSON.deserialize(bytes, DECODE);
  const dot = ns.indexOf('.');
  return {
    id: toNumber(id),
    db: ns.slice(0, dot),
    name: ns.slice(dot + 1),
    ns,
    uuid,
    indexes: indexes.map(readIndex),
    nextRecordId: 1,
    builtAt: 0,
  };
}

function readIndex(document: Document): Index {
  return {
    ...indexSpecOf(document),
    id: toNumber(document.id),
    multikey: new Set<string>(document.multikey),
    hasLongKeys: document.hasLongKeys,
    builtAt: 0,
  };
}

/** An index out of its description; the description must have been checked. */
export function indexSpecOf(document: Document): IndexSpec {
  const key = document.key as Document;
  const expression = document.partialFilterExpression as Document | undefined;
  return {
    name: document.name,
    paths: Object.keys(key),
    directions: Object.values(key).map((direction) => (toNumber(direction) < 0 ? -1 : 1)),
    key,
    isUnique: document.unique === true || document.name === '_id_',
    isSparse: document.sparse === true,
    ...(document.expireAfterSeconds !== undefined && { expireAfterSeconds: toNumber(document.expireAfterSeconds) }),
    ...(expression && { partial: { expression, filter: compileFilter(expression) } }),
  };
}
