import { BSON, type Document, Int32 } from 'bson';
import { DECODE, toNumber } from '../lib/index.ts';
import type { Collection, FilterCompiler, Index, IndexSpec } from './catalog.ts';
import { verifiedValue } from './checksum.ts';

/** Describes an index as `listIndexes` does. */
export function describeIndex(index: Index): Document {
  return {
    v: new Int32(2),
    key: index.key,
    name: index.name,
    ...(index.isUnique && index.name !== '_id_' && { unique: true }),
    ...(index.isSparse && { sparse: true }),
    ...(index.background !== undefined && { background: index.background }),
    ...(index.expireAfterSeconds !== undefined && { expireAfterSeconds: new Int32(index.expireAfterSeconds) }),
    ...(index.partial && { partialFilterExpression: index.partial.expression }),
  };
}

/** Describes a collection for storage, without indexes whose build has not finished. */
export function describeCollection(collection: Collection): Document {
  return {
    id: collection.id,
    uuid: collection.uuid,
    indexes: collection.indexes
      .filter(({ build }) => !build)
      .map((index) => ({
        ...describeIndex(index),
        id: index.id,
        multikey: [...index.multikey],
        hasLongKeys: index.hasLongKeys,
      })),
  };
}

/**
 * Decodes a collection's description.
 *
 * @param version the storage version from which its indexes count as built; an open snapshot may be older
 * @throws Error when the checksum of the description does not match
 */
export function readCollection(
  ns: string,
  bytes: Buffer,
  { version, compileFilter }: { version: number; compileFilter: FilterCompiler },
): Collection {
  // Earlier versions stored descriptions without a checksum.
  const description = verifiedValue(Buffer.from(ns), bytes, false);
  if (!description) throw new Error(`the description of '${ns}' is damaged: its checksum does not match`);
  const { id, uuid, indexes } = BSON.deserialize(description, DECODE);
  const dot = ns.indexOf('.');
  return {
    id: toNumber(id),
    db: ns.slice(0, dot),
    name: ns.slice(dot + 1),
    ns,
    uuid,
    indexes: indexes.map((index: Document) => readIndex(index, version, compileFilter)),
    builds: new Set(),
    nextRecordId: 1,
    builtAt: 0,
  };
}

function readIndex(document: Document, version: number, compileFilter: FilterCompiler): Index {
  return {
    ...indexSpecOf(document, compileFilter),
    id: toNumber(document.id),
    multikey: new Set<string>(document.multikey),
    hasLongKeys: document.hasLongKeys,
    builtAt: version,
  };
}

/** Decodes an index specification that has been validated. */
export function indexSpecOf(document: Document, compileFilter: FilterCompiler): IndexSpec {
  const key = document.key as Document;
  const expression = document.partialFilterExpression as Document | undefined;
  return {
    name: document.name,
    paths: Object.keys(key),
    directions: Object.values(key).map((direction) => (toNumber(direction) < 0 ? -1 : 1)),
    key,
    isUnique: document.unique === true || document.name === '_id_',
    isSparse: document.sparse === true,
    ...(document.background !== undefined && { background: document.background }),
    ...(document.expireAfterSeconds !== undefined && { expireAfterSeconds: toNumber(document.expireAfterSeconds) }),
    ...(expression && { partial: { expression, filter: compileFilter(expression) } }),
  };
}
