import { createHash } from 'node:crypto';
import { Binary, BSON, type Document, Long, UUID } from 'bson';
import { documentOf, elementsOf } from '../lib/index.ts';
import { type ChangeEntry, documentKey, timestampOf } from '../storage/index.ts';
import { EVENT, encodeToken, INVALIDATION } from './token.ts';

/** Documents that a stream adds to an event; null if a document is missing. */
export interface Additions {
  /** The current document, for an update. */
  fullDocument?: Buffer | null;
  /** For an update, a replacement or a deletion; always null, because this store keeps no pre-images. */
  fullDocumentBeforeChange?: null;
}

/** Encoded events without added documents, which are the same for all streams. */
const plainEvents = new WeakMap<ChangeEntry, Buffer>();

/** Encodes the event of a change, with its fields in MongoDB's order. */
export function eventOf(entry: ChangeEntry, additions: Additions = {}): Buffer {
  if (additions.fullDocument !== undefined || additions.fullDocumentBeforeChange !== undefined) {
    return composeEvent(entry, additions);
  }
  let event = plainEvents.get(entry);
  if (!event) {
    event = composeEvent(entry, additions);
    plainEvents.set(entry, event);
  }
  return event;
}

/** The fields of an event besides `_id`, `operationType`, `ns` and `documentKey`. */
export interface Selected {
  /** Top-level fields of an inserted or replacing document; none: the event has no `fullDocument`. */
  documentFields: readonly string[];
  /** Whether the event of an update has its `updateDescription`. */
  hasUpdate: boolean;
}

/** The event of a change with only selected fields, copied from the log without decoding the document. */
export function selectedEventOf(entry: ChangeEntry, { documentFields, hasUpdate }: Selected): Buffer {
  const { key, log, kind, payload } = entry;
  const begin = elementsIn({ _id: { _data: encodeToken({ key, log, kind: EVENT }) }, operationType: kind });
  const elements: Uint8Array[] = [begin];
  if (documentFields.length > 0 && (kind === 'insert' || kind === 'replace')) {
    elements.push(documentElement('fullDocument', selectFields(payload, documentFields)));
  }
  elements.push(...nsAndKey(entry));
  if (hasUpdate && kind === 'update') elements.push(updateElement(payload));
  return documentOf(elements);
}

/** A document with only some of the top-level fields of another one. */
function selectFields(document: Buffer, fields: readonly string[]): Buffer {
  const kept: Buffer[] = [];
  for (const { start, nameEnd, end } of elementsOf(document)) {
    if (fields.includes(document.toString('utf8', start + 1, nameEnd))) kept.push(document.subarray(start, end));
  }
  return documentOf(kept);
}

const updateElement = (payload: Buffer): Buffer =>
  documentElement('updateDescription', payload.subarray(payload.readInt32LE(0)));

/** The `invalidate` event that ends a stream after its collection or database was dropped. */
export const invalidationOf = (entry: ChangeEntry): Buffer => encoded(head(entry, INVALIDATION, 'invalidate'));

function composeEvent(entry: ChangeEntry, { fullDocument, fullDocumentBeforeChange }: Additions): Buffer {
  const { kind, payload } = entry;
  const document = kind === 'insert' || kind === 'replace' ? payload : fullDocument;
  const elements: Uint8Array[] = [elementsIn(head(entry, EVENT, kind))];
  if (document !== undefined) elements.push(documentElement('fullDocument', document));
  elements.push(...nsAndKey(entry));
  if (kind === 'update') elements.push(updateElement(payload));
  if (fullDocumentBeforeChange === null) elements.push(documentElement('fullDocumentBeforeChange', null));
  return documentOf(elements);
}

/** The elements `ns` and, for a change of one record, `documentKey`. */
function nsAndKey({ kind, payload, ns, db }: ChangeEntry): Uint8Array[] {
  const place = elementsIn({ ns: kind === 'dropDatabase' ? { db } : { db, coll: ns.slice(db.length + 1) } });
  if (kind === 'insert' || kind === 'replace') return [place, documentElement('documentKey', documentKey(payload))];
  if (kind === 'delete') return [place, documentElement('documentKey', payload)];
  if (kind === 'update') return [place, documentElement('documentKey', payload.subarray(0, payload.readInt32LE(0)))];
  return [place];
}

/** MongoDB identifies the user of a session by a hash; without users it is the hash of the empty string. */
const NO_USER_DIGEST = new Binary(createHash('sha256').digest());

function head({ key, log, wallTime, origin }: ChangeEntry, kind: number, operationType: string): Document {
  return {
    ...(origin && {
      txnNumber: Long.fromBigInt(origin.number),
      lsid: { id: new UUID(origin.sessionId), uid: NO_USER_DIGEST },
    }),
    _id: { _data: encodeToken({ key, log, kind }) },
    operationType,
    clusterTime: timestampOf(key),
    wallTime: new Date(wallTime),
  };
}

const encoded = (document: Document): Buffer => Buffer.from(BSON.serialize(document));
const elementsIn = (document: Document): Buffer => encoded(document).subarray(4, -1);

const DOCUMENT = 3;
const NULL = 10;

function documentElement(name: string, document: Buffer | null): Buffer {
  const begin = Buffer.from(`\0${name}\0`);
  begin[0] = document ? DOCUMENT : NULL;
  return document ? Buffer.concat([begin, document]) : begin;
}
