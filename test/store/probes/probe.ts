import { type Document, EJSON } from 'bson';

/** A question that a real server answered once and the embedded store answers in every run. */
export interface Probe {
  name: string;
  documents: readonly Document[];
  operation: Operation;
}

export type Operation =
  | { kind: 'find'; filter: Document; projection?: Document; sort?: Document; skip?: number; limit?: number }
  | { kind: 'update'; filter: Document; update: Document | Document[]; arrayFilters?: Document[]; upsert?: boolean }
  | { kind: 'aggregate'; pipeline: Document[]; foreign?: readonly Document[]; isUnordered?: boolean };

/** The result; `documents` is the whole collection after an update. */
export type Outcome =
  | { documents: Document[]; matched?: number; modified?: number; upserted?: boolean }
  | { code: number; codeName?: string };

/** Formats dates, ids and the like in a name as they would be typed. */
const text = (value: unknown): string => EJSON.stringify(value as Document, { relaxed: true });

export const finds = (documents: readonly Document[], filters: readonly Document[]): Probe[] =>
  filters.map((filter) => ({ name: `find ${text(filter)}`, documents, operation: { kind: 'find', filter } }));

export const projections = (documents: readonly Document[], specs: readonly Document[]): Probe[] =>
  specs.map((projection) => ({
    name: `project ${text(projection)}`,
    documents,
    operation: { kind: 'find', filter: {}, projection, sort: { _id: 1 } },
  }));

/** Sorts with ties resolved by `_id`. */
export const sorts = (documents: readonly Document[], specs: readonly Document[]): Probe[] =>
  specs.map((sort) => ({
    name: `sort ${text(sort)}`,
    documents,
    operation: { kind: 'find', filter: {}, projection: { _id: 1 }, sort: { ...sort, _id: 1 } },
  }));

type UpdateRow = [
  document: Document,
  update: Document | Document[],
  more?: { filter?: Document; arrayFilters?: Document[] },
];

/** Updates of one document with `_id` 1. */
export const updates = (rows: readonly UpdateRow[]): Probe[] =>
  rows.map(([document, update, more = {}]) => ({
    name: `update ${text(document)} ${more.filter ? `where ${text(more.filter)} ` : ''}with ${text(update)}${more.arrayFilters ? ` filters ${text(more.arrayFilters)}` : ''}`,
    documents: [{ _id: 1, ...document }],
    operation: {
      kind: 'update',
      filter: more.filter ?? { _id: 1 },
      update,
      ...(more.arrayFilters ? { arrayFilters: more.arrayFilters } : {}),
    },
  }));

/** Updates that match nothing and insert. */
export const upserts = (rows: readonly (readonly [filter: Document, update: Document | Document[]])[]): Probe[] =>
  rows.map(([filter, update]) => ({
    name: `upsert ${text(filter)} with ${text(update)}`,
    documents: [],
    operation: { kind: 'update', filter, update, upsert: true },
  }));

/** Evaluates each expression as the only field of a `$project` over each document. */
export const expressions = (documents: readonly Document[], list: readonly unknown[]): Probe[] =>
  list.map((expression) => ({
    name: `evaluate ${text(expression)}`,
    documents,
    operation: { kind: 'aggregate', pipeline: [{ $sort: { _id: 1 } }, { $project: { result: expression } }] },
  }));

export const aggregates = (
  documents: readonly Document[],
  pipelines: readonly Document[][],
  more: { foreign?: readonly Document[]; isUnordered?: boolean } = {},
): Probe[] =>
  pipelines.map((pipeline) => ({
    name: `aggregate ${text(pipeline)}`,
    documents,
    operation: { kind: 'aggregate', pipeline, ...more },
  }));
