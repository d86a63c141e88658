import { type Document, ObjectId } from 'bson';
import type { Collection } from './catalog.ts';
import type { Version } from './changes.ts';
import { collectionForWrite, progressOf, type Request } from './command.ts';
import { decode, encode, runPlan } from './executor.ts';
import { CommandError } from './language/errors.ts';
import { compileFilter } from './language/filter.ts';
import { compileSort } from './language/sort.ts';
import type { Filter, SortSpec, Update } from './language/types.ts';
import { compileUpdate } from './language/update.ts';
import { buildUpsert } from './language/upsert.ts';
import { filterOf, planCompiled } from './queries.ts';
import type { Row } from './storage.ts';
import type { Writer } from './view.ts';
import { MAX_DOCUMENT_SIZE } from './wire.ts';

/** Which records a writing statement is about. */
export interface Target {
  ns: string;
  filter: Filter;
  sort?: SortSpec | undefined;
  hint?: unknown;
}

export function targetOf(ns: string, query: unknown, options: { sort?: Document | undefined; hint?: unknown }): Target {
  const filter = compileFilter(filterOf(query, 'q'));
  return { ns, filter, hint: options.hint, sort: options.sort && compileSort(options.sort) };
}

/** The first record that the statement is about, as it is now. */
export function findTarget(request: Request, writer: Writer, target: Target): Row | undefined {
  const plan = planCompiled(request, target);
  for (const row of runPlan(plan, writer.view, progressOf(request), 1)) return row;
  return undefined;
}

/** The records that a statement is about; where the filter fails at one, those before it, and how it failed. */
export interface Targets {
  recordIds: number[];
  failure?: CommandError | undefined;
}

/**
 * The numbers of all records that the statement is about, collected before the first of them changes. Where the filter
 * fails at one, `failure` says how: those before it are to be changed all the same, as in MongoDB.
 */
export function findTargets(request: Request, writer: Writer, target: Target): Targets {
  const plan = planCompiled(request, target);
  const recordIds: number[] = [];
  try {
    for (const row of runPlan(plan, writer.view, progressOf(request))) recordIds.push(row.recordId);
  } catch (failure) {
    if (failure instanceof CommandError) return { recordIds, failure };
    throw failure;
  }
  return { recordIds };
}

export function currentVersion(collection: Collection, recordId: number, { view }: Writer): Version | undefined {
  const staged = view.stagedIn(collection)?.get(recordId);
  if (staged) return staged.after;
  const bytes = view.reader.record(collection.id, recordId);
  return bytes && { bytes, document: decode(bytes) };
}

export function updateOf(update: unknown, arrayFilters: unknown): Update {
  return compileUpdate(update as Document | Document[], {
    ...(Array.isArray(arrayFilters) && { arrayFilters: arrayFilters as Document[] }),
  });
}

export interface RecordUpdate {
  collection: Collection;
  recordId: number;
  before: Version;
  update: Update;
  filter: Filter;
}

/** Updates one record; the record as it was when nothing changed. */
export function updateRecord(writer: Writer, { collection, recordId, before, update, filter }: RecordUpdate): Version {
  const context = { filter, isUpsertInsert: false };
  const document = update.apply(before.document, context);
  if (document === before.document) return before;
  const after = encodeVersion(document);
  writer.write({ collection, recordId, before, after, description: update.describe(before, after, context) });
  return after;
}

/** Inserts what an upsert makes of its filter and update. */
export function upsertRecord(request: Request, writer: Writer, target: Target, update: Update): Version {
  const collection = collectionForWrite(request.engine, target.ns);
  const document = buildUpsert(target.filter, update);
  const after = encodeVersion('_id' in document ? document : { _id: new ObjectId(), ...document });
  writer.write({ collection, recordId: collection.nextRecordId++, before: undefined, after });
  return after;
}

function encodeVersion(document: Document): Version {
  const bytes = encode(document);
  if (bytes.length > MAX_DOCUMENT_SIZE) {
    throw new CommandError(10334, `Resulting document after update is larger than ${MAX_DOCUMENT_SIZE}`);
  }
  return { bytes, document };
}
