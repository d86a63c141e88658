import { type Document, EJSON, Long } from 'bson';
import { compileSort } from '../../../src/embedded/query/sort.ts';
import type { Step } from './script.ts';

/** Reply fields that differ between runs or servers, or are human-readable text. */
const VARIABLE_FIELDS = new Set(
  '$clusterTime operationTime electionId opTime errmsg commitQuorum ns note readOnly'.split(' '),
);
const VALIDATED = ['valid', 'nrecords', 'keysPerIndex'];
/** Errors with two codes in MongoDB, depending on which of its two engines runs the pipeline. */
const EQUIVALENT_CODES: ReadonlyMap<string, string> = new Map([
  ['5911200', '40400'],
  ['5733415', '16610'],
]);
/** Scripts cannot avoid this error: the store rejects dates outside the range of JavaScript. */
export const DATE_OUT_OF_RANGE = 'a date beyond the year 275760';
const DAY_MS = 86_400_000;

/** The part of a reply that must be equal on both servers, as text. */
export function answerOf(step: Step, reply: Document): string {
  if (step.refuses && isRefusal(step.refuses, reply)) return 'refused';
  if (isRefusal(DATE_OUT_OF_RANGE, reply)) return DATE_OUT_OF_RANGE;
  const lasting = sorted(Object.fromEntries(Object.entries(reply).filter(([name]) => !VARIABLE_FIELDS.has(name))));
  const [name = ''] = Object.keys(step.command);
  if (name === 'validate' && lasting.valid !== undefined)
    return canonical(pick({ ...lasting, keysPerIndex: sorted(lasting.keysPerIndex) }, VALIDATED));
  // It is undefined which of several duplicates a build finds first, and in which index.
  if (name === 'createIndexes') {
    delete lasting.keyValue;
    if (step.command.indexes?.length > 1) delete lasting.keyPattern;
  }
  // The failing document, and so the error, depends on the plan.
  if (step.endsIfFailed && (lasting.code !== undefined || lasting.writeErrors)) return 'failed';
  if (lasting.code !== undefined)
    return canonical(pick(lasting, ['code', 'codeName', 'errorLabels', 'keyPattern', 'keyValue']));
  if (Array.isArray(lasting.writeErrors))
    lasting.writeErrors = lasting.writeErrors.map(({ errmsg: _, ...error }) => sorted(error));
  if (name === 'listIndexes' && lasting.cursor) lasting.cursor.firstBatch = lasting.cursor.firstBatch.map(sorted);
  if (name === 'killCursors') {
    return canonical(
      sorted(Object.fromEntries(Object.entries(lasting).map(([key, value]) => [key, value.length ?? value]))),
    );
  }
  if (lasting.cursor) lasting.cursor = cursorOf(step, lasting.cursor);
  if (Array.isArray(lasting.values) && step.order === 'any') lasting.values = asSet(lasting.values);
  return canonical(lasting);
}

const isRefusal = (name: string, { errmsg, writeErrors = [] }: Document): boolean =>
  [errmsg, ...writeErrors.map((error: Document) => error.errmsg)].some(
    (text) => typeof text === 'string' && text.includes(name) && text.includes('not supported by the embedded store'),
  );

function cursorOf({ order, command }: Step, cursor: Document): Document {
  let batch = (cursor.firstBatch ?? cursor.nextBatch) as Document[];
  if (Array.isArray(command.pipeline) && setsBeforeProject(command.pipeline)) batch = batch.map(sorted);
  const isOpen = Long.isLong(cursor.id) && !cursor.id.isZero();
  if (order === 'any') return { isOpen, batch: asSet(batch) };
  return { isOpen, batch: typeof order === 'object' ? tiesInOrder(batch, order) : batch };
}

/**
 * The position of a field that a stage overwrites is undefined: if a later stage lists all remaining fields, MongoDB's
 * optimizer may drop the old value, and the new one is then the last field.
 */
function setsBeforeProject(pipeline: readonly Document[]): boolean {
  const set = pipeline.findIndex((stage) => '$set' in stage || '$addFields' in stage || '$unwind' in stage);
  return set >= 0 && pipeline.slice(set).some((stage) => '$project' in stage);
}

const asSet = (items: readonly unknown[]): unknown[] =>
  items
    .map((item) => ({ item, text: canonical(item) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ item }) => item);

/** Sorts documents that are equal in the sort by their text, since their order is undefined. */
function tiesInOrder(documents: readonly Document[], sort: Document): unknown[] {
  const { compareKeys, keyOf } = compileSort(sort);
  const groups: Document[][] = [];
  for (const document of documents) {
    const last = groups.at(-1);
    if (last && compareKeys(keyOf(last[0]!), keyOf(document)) === 0) last.push(document);
    else groups.push([document]);
  }
  return groups.flatMap(asSet);
}

const sorted = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1)));

const pick = (document: Document, names: readonly string[]): Document =>
  Object.fromEntries(names.filter((name) => name in document).map((name) => [name, document[name]]));

/** Canonical text in which server-generated values, ids and the current time, are replaced by placeholders. */
export function canonical(value: unknown): string {
  return EJSON.stringify(value, { relaxed: false })
    .replace(/"(?!5f0{20})[0-9a-f]{24}"/g, '"<id>"')
    .replace(/"\$numberLong":"(\d{13})"/g, (text, time) =>
      Math.abs(Number(time) - Date.now()) < DAY_MS ? '"$numberLong":"<now>"' : text,
    )
    .replace(/"code":\{"\$numberInt":"(\d+)"\},"codeName":"Location\d+"/g, (text, code) => {
      const same = EQUIVALENT_CODES.get(code);
      return same ? `"code":{"$numberInt":"${same}"},"codeName":"Location${same}"` : text;
    })
    .replace(/"\$timestamp":\{"t":\d{10},"i":\d+\}/g, '"$timestamp":"<now>"');
}
