import { BSON, type Document } from 'bson';

/** A command and, where a driver would send one, its document sequence. */
export interface Sections {
  /** Commands that run first and are not measured. */
  before?: Sections[];
  body: Document;
  sequence?: { name: string; documents: Uint8Array[] };
}

/** A new command for every run, so that no run benefits from the cache of another. */
export type Cases = Record<string, () => Sections>;

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
export const range = (n: number): Document => ({ $range: [0, n] });
export const nested = (depth: number): Document => numbers(depth).reduce<Document>((inner) => ({ a: inner }), { a: 1 });
/** An object with so many fields. */
export const fields = (count: number, value: (i: number) => unknown = (i) => i, prefix = 'f'): Document =>
  Object.fromEntries(numbers(count).map((i) => [`${prefix}${i}`, value(i)]));
/** A path with so many parts. */
export const path = (parts: number, part = 'a'): string => Array(parts).fill(part).join('.');

export const itemOf = (_id: number): Document => ({
  _id,
  text: 'lorem ipsum '.repeat(20),
  rank: (_id * 37) % 1001,
  tags: numbers(10).map((i) => (_id * i) % 13),
});

/** Nothing matches, and that takes a while to find out. */
export const RARE = { text: { $regex: 'm ([a-z]+ )*z{3}$' } };

export const insert = (ns: string, documents: Document[]): Sections => ({
  body: { insert: ns },
  sequence: { name: 'documents', documents: documents.map((document) => BSON.serialize(document)) },
});
export const find = (ns: string, filter: Document, more: Document = {}): Sections => ({
  body: { find: ns, filter, ...more },
});
export const aggregate = (ns: string, ...pipeline: Document[]): Sections => ({
  body: { aggregate: ns, pipeline, cursor: {} },
});
export const update = (ns: string, q: Document, u: unknown, more: Document = {}): Sections => ({
  body: { update: ns, updates: [{ q, u, ...more }] },
});
