import { type Document, ObjectId } from 'bson';
import {
  CommandError,
  countElements,
  FIELD_WEIGHT,
  type Filter,
  isInterruption,
  type SortSpec,
  type Update,
} from '../lib/index.ts';
import {
  buildUpsert,
  type CompileContext,
  compileFilter,
  compileSort,
  compileUpdate,
  decode,
  encode,
  runPausing,
  yieldToEventLoop,
} from '../query/index.ts';
import { type Collection, LockWait, type Row, type Version, type Writer } from '../storage/index.ts';
import { MAX_DOCUMENT_SIZE } from '../wire/index.ts';
import { pausingProgressOf, type Request, viewOf } from './command.ts';
import { filterOf, planCompiled } from './queries.ts';

/** The records that a write statement selects. */
export interface Target {
  ns: string;
  filter: Filter;
  sort?: SortSpec | undefined;
  hint?: unknown;
}

export function targetOf(
  ns: string,
  query: unknown,
  options: { context: CompileContext; sort?: Document | undefined; hint?: unknown },
): Target {
  const filter = compileFilter(filterOf(query, 'q'), options.context);
  return { ns, filter, hint: options.hint, sort: options.sort && compileSort(options.sort) };
}

/** The selected records; if the filter fails at one, the records before it and the error. */
export interface Targets {
  recordIds: number[];
  failure?: CommandError | undefined;
}

/** The results of a long search, which runs outside of the commit, for the statement that continues with it. */
export interface Search {
  found?: (Targets & { collection: Collection | undefined }) | undefined;
}

/**
 * Finds the first selected record.
 *
 * @throws LockWait if the search takes long: it continues between other writes, with its results in `search`
 */
export function findTarget(request: Request, writer: Writer, target: Target, search: Search): Row | undefined {
  const { found } = search;
  search.found = undefined;
  if (found) {
    if (found.failure) throw found.failure;
    if (found.recordIds.length === 0) return undefined;
    const row = currentRow(writer, found);
    if (row && target.filter.matchesBytes(row.bytes)) return row;
    // Another write has changed the record since the search.
  }
  const plan = planCompiled(request, target);
  for (const row of runPausing(plan, writer.view, pausingProgressOf(request), 1)) {
    if (!row) throw new LockWait(continueSearch(request, target, search, 1));
    return row;
  }
  return undefined;
}

function currentRow(writer: Writer, found: NonNullable<Search['found']>): Row | undefined {
  const { collection, recordIds } = found;
  const recordId = recordIds[0]!;
  if (!collection || writer.view.collection(collection.ns) !== collection) return undefined;
  const uncommitted = writer.view.uncommittedIn(collection)?.get(recordId);
  const bytes = uncommitted ? uncommitted.after?.bytes : writer.view.reader.record(collection.id, recordId);
  return bytes && { recordId, bytes };
}

/**
 * Collects the ids of all selected records before the first one changes. If the filter fails at a record, `failure` is
 * its error, and the records before it are still changed, as in MongoDB.
 *
 * @throws LockWait if the search takes long: it continues between other writes, with its results in `search`
 */
export function findTargets(request: Request, writer: Writer, target: Target, search: Search): Targets {
  const plan = planCompiled(request, target);
  const recordIds: number[] = [];
  try {
    for (const row of runPausing(plan, writer.view, pausingProgressOf(request))) {
      if (!row) throw new LockWait(continueSearch(request, target, search));
      recordIds.push(row.recordId);
    }
  } catch (failure) {
    if (failure instanceof CommandError && !isInterruption(failure)) return { recordIds, failure };
    throw failure;
  }
  return { recordIds };
}

async function continueSearch(
  request: Request,
  target: Target,
  search: Search,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const collection = viewOf(request).collection(target.ns);
  const recordIds: number[] = [];
  search.found = { collection, recordIds };
  const progress = pausingProgressOf(request);
  try {
    await yieldToEventLoop(progress);
    for (const row of runPausing(planCompiled(request, target), viewOf(request), progress, most)) {
      if (!row) await yieldToEventLoop(progress);
      else if (recordIds.push(row.recordId) >= most) return;
    }
  } catch (error) {
    const isKnown = error instanceof CommandError;
    search.found.failure = isKnown ? error : new CommandError(8, String(error));
  }
}

export function currentVersion(collection: Collection, recordId: number, { view }: Writer): Version | undefined {
  const uncommitted = view.uncommittedIn(collection)?.get(recordId);
  if (uncommitted) return uncommitted.after;
  const bytes = view.reader.record(collection.id, recordId);
  return bytes && { bytes, document: decode(bytes) };
}

export function updateOf(update: unknown, arrayFilters: unknown, context: CompileContext): Update {
  return compileUpdate(update as Document | Document[], {
    context,
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

/** Updates one record; returns the old version if nothing changed. */
export function updateRecord(writer: Writer, { collection, recordId, before, update, filter }: RecordUpdate): Version {
  const context = { filter, isUpsertInsert: false };
  const document = update.apply(before.document, context);
  if (document === before.document) return before;
  const after = encodeVersion(document, before.document);
  writer.write({ collection, recordId, before, after, description: update.describe(before, after, context) });
  return after;
}

/** Inserts the document of an upsert. */
export function upsertRecord(writer: Writer, target: Target, update: Update): Version {
  const collection = writer.collectionFor(target.ns);
  const document = buildUpsert(target.filter, update);
  const after = encodeVersion('_id' in document ? document : { _id: new ObjectId(), ...document });
  writer.write({ collection, recordId: collection.nextRecordId++, before: undefined, after });
  return after;
}

/** An updated document may keep its number of elements even if it exceeds the limit for new documents. */
function encodeVersion(document: Document, before?: Document): Version {
  const bytes = encode(document, {
    fieldWeight: FIELD_WEIGHT,
    allowed: before && (() => countElements(before, FIELD_WEIGHT)),
  });
  if (bytes.length > MAX_DOCUMENT_SIZE) {
    throw new CommandError(10334, `Resulting document after update is larger than ${MAX_DOCUMENT_SIZE}`);
  }
  return { bytes, document };
}
