import { type Document, EJSON, Int32 } from 'bson';
import type { Stored } from './documents.ts';

export interface SourceCollection {
  name: string;
  documents: number;
  /** As `listIndexes` returns them, without the one on `_id`. */
  indexes: Document[];
  /** Options of the `create` command. */
  options: Document;
}

/** A database to read: an embedded store, a MongoDB server or an export. */
export interface Source {
  /** For messages. */
  name: string;
  database: string;
  /** Identifies the content: an import can be resumed only from a source with the same identity. */
  identity: string;
  /** Sorted by name. */
  collections: SourceCollection[];
  /** Reads the documents of a collection in the order of `_id`. */
  read(collection: SourceCollection): AsyncGenerator<Stored>;
  /** Whether all documents are from one snapshot. */
  isOneMoment(): boolean;
  close(): Promise<void>;
}

/** Normalizes an index description: servers describe the same index in different ways. */
export function normalizeIndex({ v: _v, ns: _ns, background: _background, key, ...rest }: Document): Document {
  const numbers = Object.fromEntries(Object.entries(key as Document).map(([path, kind]) => [path, toInt32(kind)]));
  const { name, expireAfterSeconds, ...options } = rest;
  return {
    name,
    key: numbers,
    ...options,
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds: toInt32(expireAfterSeconds) }),
  };
}

/** Servers return the direction of an index in the numeric type in which it was sent. */
function toInt32(value: unknown): unknown {
  return typeof value === 'string' || Number.isNaN(Number(value)) ? value : new Int32(Number(value));
}

export const normalizeIndexes = (indexes: Document[]): Document[] =>
  indexes
    .filter(({ name }) => name !== '_id_')
    .map(normalizeIndex)
    .sort((a, b) => (a.name < b.name ? -1 : 1));

export const byName = <Named extends { name: string }>(named: Named[]): Named[] =>
  named.sort((a, b) => (a.name < b.name ? -1 : 1));

export const serializeIndex = (index: Document): string => EJSON.stringify(index, { relaxed: false });
