import { type Document, EJSON, Int32 } from 'bson';
import type { Stored } from './documents.ts';

export interface SourceCollection {
  name: string;
  documents: number;
  /** As `listIndexes` answers, without the one on `_id`. */
  indexes: Document[];
  /** As `create` takes them. */
  options: Document;
}

/** One database to read from: an embedded store, a MongoDB server, or an export. */
export interface Source {
  /** For people. */
  name: string;
  database: string;
  /** Tells this content from another, as long as it does not change. */
  identity: string;
  /** By name. */
  collections: SourceCollection[];
  /** In the order of `_id`. */
  read(collection: SourceCollection): AsyncGenerator<Stored>;
  /** Whether all of it is from one moment; known for certain when all has been read. */
  isOneMoment(): boolean;
  close(): Promise<void>;
}

/** An index the way any server would tell it, so that the same index is told the same way. */
export function plainIndex({ v: _v, ns: _ns, background: _background, key, ...rest }: Document): Document {
  const numbers = Object.fromEntries(Object.entries(key as Document).map(([path, kind]) => [path, wholeNumber(kind)]));
  const { name, expireAfterSeconds, ...options } = rest;
  return {
    name,
    key: numbers,
    ...options,
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds: wholeNumber(expireAfterSeconds) }),
  };
}

/** Servers keep the number of an index's direction in the type it came in. */
function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' || Number.isNaN(Number(value)) ? value : new Int32(Number(value));
}

export const plainIndexes = (indexes: Document[]): Document[] =>
  indexes
    .filter(({ name }) => name !== '_id_')
    .map(plainIndex)
    .sort((a, b) => (a.name < b.name ? -1 : 1));

export const byName = <Named extends { name: string }>(named: Named[]): Named[] =>
  named.sort((a, b) => (a.name < b.name ? -1 : 1));

export const textOfIndex = (index: Document): string => EJSON.stringify(index, { relaxed: false });
