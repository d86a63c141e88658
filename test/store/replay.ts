import { BSON, type Document } from 'bson';
import { CommandError } from '../../src/embedded/lib/errors.ts';
import { DECODE } from '../../src/embedded/lib/types.ts';
import { DEFAULT_CONTEXT } from '../../src/embedded/query/compile-context.ts';
import { compileFilter } from '../../src/embedded/query/filter/filter.ts';
import { compilePipeline } from '../../src/embedded/query/pipeline/pipeline.ts';
import { compileProjection } from '../../src/embedded/query/projection/projection.ts';
import { compileSort } from '../../src/embedded/query/sort.ts';
import { compileUpdate, idFirst } from '../../src/embedded/query/update/update.ts';
import { buildUpsert } from '../../src/embedded/query/update/upsert.ts';
import type { Operation, Outcome, Probe } from './probes/probe.ts';

/** Encodes and decodes values, so that probes see them as after transport over the wire. */
const decoded = <Value>(value: Value): Value =>
  (BSON.deserialize(BSON.serialize({ value }), DECODE) as { value: Value }).value;

/** Evaluates a probe with only the pure functions of the query language. */
export function replay(probe: Probe): Outcome {
  // An insert puts `_id` first.
  const documents = decoded([...probe.documents]).map(idFirst);
  try {
    return decoded(answer(documents, decoded(probe.operation)));
  } catch (error) {
    if (error instanceof CommandError) return { code: error.code, codeName: error.codeName };
    throw error;
  }
}

function answer(documents: Document[], operation: Operation): Outcome {
  switch (operation.kind) {
    case 'find':
      return find(documents, operation);
    case 'update':
      return update(documents, operation);
    case 'aggregate':
      return { documents: aggregate(documents, operation.pipeline, operation.foreign ?? []) };
  }
}

function find(documents: Document[], { filter, projection, sort, skip, limit }: Operation & { kind: 'find' }): Outcome {
  const { matches, matchesBytes } = compileFilter(filter, DEFAULT_CONTEXT);
  const project = projection && compileProjection(projection, { context: DEFAULT_CONTEXT });
  const found = documents.filter(matches);
  const foundInBytes = documents.filter((document) => matchesBytes(BSON.serialize(document)));
  if (found.length !== foundInBytes.length) throw new Error('matching bytes differs from matching documents');
  const page = (sort ? inOrder(found, sort) : found).slice(skip ?? 0, limit ? (skip ?? 0) + limit : undefined);
  if (!project) return { documents: page };
  const { apply, selectBytes } = project;
  const projected = page.map(apply);
  // The fields that both select are compared as they are encoded.
  if (selectBytes) {
    const encoded = projected.map((document) => BSON.serialize(document));
    const selected = page.map((document) => selectBytes(BSON.serialize(document)));
    if (!Buffer.concat(encoded).equals(Buffer.concat(selected))) throw new Error('selecting bytes differs from fields');
  }
  return { documents: projected };
}

/** Sorts documents by the keys that the store reads from their bytes. */
function inOrder(documents: readonly Document[], sort: Document): Document[] {
  const { compareKeys, keyOf, keyOfBytes } = compileSort(sort);
  const keyed = documents.map((document) => ({ document, key: keyOfBytes(BSON.serialize(document)) }));
  for (const { document, key } of keyed) {
    if (compareKeys(key, keyOf(document)) !== 0) throw new Error('the key from bytes differs from that of fields');
  }
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ document }) => document);
}

function update(documents: Document[], operation: Operation & { kind: 'update' }): Outcome {
  const { arrayFilters } = operation;
  const compiled = compileUpdate(operation.update, { context: DEFAULT_CONTEXT, ...(arrayFilters && { arrayFilters }) });
  const filter = compileFilter(operation.filter, DEFAULT_CONTEXT);
  const index = documents.findIndex(filter.matches);
  if (index < 0 && operation.upsert) {
    return { documents: [buildUpsert(filter, compiled)], matched: 0, modified: 0, upserted: true };
  }
  if (index < 0) return { documents, matched: 0, modified: 0, upserted: false };
  const before = documents[index]!;
  const after = compiled.apply(before, { filter, isUpsertInsert: false });
  return {
    documents: documents.with(index, after),
    matched: 1,
    modified: after === before ? 0 : 1,
    upserted: false,
  };
}

function aggregate(documents: Document[], pipeline: Document[], foreign: readonly Document[]): Document[] {
  const lookup = (collection: string, stages: Document[]) =>
    aggregate(collection === 'foreign' ? decoded([...foreign]) : [], stages, foreign);
  const { filter, sort, skip = 0, limit, rest } = compilePipeline(pipeline, { lookup }, DEFAULT_CONTEXT);
  let found = filter ? documents.filter(compileFilter(filter, DEFAULT_CONTEXT).matches) : [...documents];
  if (sort) found = inOrder(found, sort);
  found = found.slice(skip, limit === undefined ? undefined : skip + limit);
  return [...rest(found)].filter((document) => document !== undefined);
}
