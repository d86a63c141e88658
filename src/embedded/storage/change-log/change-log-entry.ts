import { BSON, type Document, Timestamp } from 'bson';
import { CommandError, documentOf, findId } from '../../lib/index.ts';
import { MAX_DOCUMENT_SIZE } from '../../wire/index.ts';
import { verifiedValue } from '../checksum.ts';
import { extendFront } from '../padded-value.ts';

/**
 * The kinds of changes and their stored numbers. A number is never reused, because logs outlive the version that wrote
 * them.
 */
export const KINDS = { insert: 1, update: 2, replace: 3, delete: 4, drop: 5, dropDatabase: 6 } as const;
export type Kind = keyof typeof KINDS;
const KIND_NAMES = new Map(Object.entries(KINDS).map(([name, number]) => [number as number, name as Kind]));

/** A change that has no time yet. */
export interface ChangeRecord {
  kind: Kind;
  /** `database.collection`; for a dropped database its name alone. */
  ns: string;
  /** Insert and replace: the document. Update: its key and the description. Delete: its key. */
  payload: readonly Buffer[];
}

/** The transaction to which a change belongs. */
export interface Origin {
  /** 32 hexadecimal digits. */
  sessionId: string;
  number: bigint;
}

/** A change in the log. */
export interface ChangeEntry {
  key: Buffer;
  /** The log's id. */
  log: Buffer;
  kind: Kind;
  ns: string;
  db: string;
  /** Milliseconds since the epoch. */
  wallTime: number;
  origin: Origin | undefined;
  payload: Buffer;
}

/** Seconds, increment and position among the changes of that time, four bytes each, so that keys sort by time. */
const KEY_LENGTH = 12;
/** The id distinguishes a log from that of a copy of the store, in which the same times may occur. */
export const LOG_ID_LENGTH = 4;
const LAST = 0xffff_ffff;

export interface ClusterTime {
  seconds: number;
  increment: number;
}

export function keyOf({ seconds, increment }: ClusterTime, index: number): Buffer {
  // Not pooled, here and below: the newest entries stay in memory, and a slice would retain 8 KB of the pool.
  const key = Buffer.allocUnsafeSlow(KEY_LENGTH);
  key.writeUInt32BE(seconds, 0);
  key.writeUInt32BE(increment, 4);
  key.writeUInt32BE(index, 8);
  return key;
}

export const timeOf = (key: Buffer): ClusterTime => ({
  seconds: key.readUInt32BE(0),
  increment: key.readUInt32BE(4),
});

export const timestampOf = (key: Buffer): Timestamp => {
  const { seconds, increment } = timeOf(key);
  return new Timestamp({ t: seconds, i: increment });
};

/** The key after all changes of a time. */
export const endOf = (time: ClusterTime): Buffer => keyOf(time, LAST);

/** Whether a key stands for the end of a time, not for a change. */
export const isEndOfTime = (key: Buffer): boolean => key.readUInt32BE(8) === LAST;

/** The key after all changes before a time. */
export function endBefore({ seconds, increment }: ClusterTime): Buffer {
  if (increment > 0) return endOf({ seconds, increment: increment - 1 });
  return seconds > 0 ? endOf({ seconds: seconds - 1, increment: LAST }) : Buffer.alloc(KEY_LENGTH);
}

/** The greatest key below this one. */
export function keyBefore(key: Buffer): Buffer {
  const before = Buffer.from(key);
  let at = before.length - 1;
  while (at > 0 && before[at] === 0) before[at--] = 0xff;
  before[at] = Math.max(0, before[at]! - 1);
  return before;
}

const HAS_ORIGIN = 1;
const HAS_CHECKSUM = 2;
/** Kind, flags, wall-clock time, and the length of the namespace. */
const HEAD = 1 + 1 + 8 + 1;
const ORIGIN = 16 + 8;

export function encodeEntry({ kind, ns, payload }: ChangeRecord, wallTime: number, origin?: Origin): Buffer {
  const name = Buffer.from(ns);
  const size = payload.reduce((sum, part) => sum + part.length, HEAD + (origin ? ORIGIN : 0) + name.length);
  const [first] = payload;
  const padded = first && payload.length === 1 ? extendFront(first, size - first.length) : undefined;
  const bytes = padded ?? Buffer.allocUnsafeSlow(size);
  bytes[0] = KINDS[kind];
  bytes[1] = (origin ? HAS_ORIGIN : 0) | HAS_CHECKSUM;
  bytes.writeDoubleLE(wallTime, 2);
  bytes[10] = name.length;
  let at = HEAD;
  if (origin) {
    at += bytes.write(origin.sessionId, at, 'hex');
    at = bytes.writeBigInt64LE(origin.number, at);
  }
  at += name.copy(bytes, at);
  if (!padded) for (const part of payload) at += part.copy(bytes, at);
  return bytes;
}

/**
 * Verifies and decodes a stored change.
 *
 * @throws CommandError 286 if it is damaged
 */
export function readEntry({ key, bytes, log }: EncodedEntry): ChangeEntry {
  if ((bytes[1]! & HAS_CHECKSUM) === 0) return decodeEntry({ key, bytes, log });
  const entry = verifiedValue(key, bytes, true);
  if (entry) return decodeEntry({ key, bytes: entry, log });
  throw new CommandError(286, 'The change stream cannot continue: the next change in the log is damaged', {
    labels: ['NonResumableChangeStreamError'],
  });
}

interface EncodedEntry {
  key: Buffer;
  bytes: Buffer;
  /** The log's id. */
  log: Buffer;
}

/** @param bytes without checksum */
export function decodeEntry({ key, bytes, log }: EncodedEntry): ChangeEntry {
  let at = HEAD;
  let origin: Origin | undefined;
  if (bytes[1]! & HAS_ORIGIN) {
    origin = { sessionId: bytes.toString('hex', at, at + 16), number: bytes.readBigInt64LE(at + 16) };
    at += ORIGIN;
  }
  const ns = bytes.toString('utf8', at, at + bytes[10]!);
  const dot = ns.indexOf('.');
  return {
    key,
    log,
    kind: KIND_NAMES.get(bytes[0]!)!,
    ns,
    db: dot < 0 ? ns : ns.slice(0, dot),
    wallTime: bytes.readDoubleLE(2),
    origin,
    payload: bytes.subarray(at + bytes[10]!),
  };
}

/** The versions of a record that its log entry is built from. */
interface Versions {
  before: { bytes: Buffer } | undefined;
  after: { bytes: Buffer } | undefined;
  description?: Document | undefined;
}

/** The log record for a write; undefined if the record exists neither before nor after it. */
export function recordOf(ns: string, { before, after, description }: Versions): ChangeRecord | undefined {
  if (!after) return before && { kind: 'delete', ns, payload: [documentKey(before.bytes)] };
  if (!before) return { kind: 'insert', ns, payload: [after.bytes] };
  const described = description && encodeDescription(description);
  if (!described) return { kind: 'replace', ns, payload: [after.bytes] };
  return { kind: 'update', ns, payload: [documentKey(after.bytes), described] };
}

/**
 * Undefined if it exceeds the maximum document size, as long paths into many elements can: no event could contain it.
 */
function encodeDescription(description: Document): Buffer | undefined {
  try {
    const bytes = BSON.serialize(description) as Buffer;
    return bytes.length <= MAX_DOCUMENT_SIZE ? bytes : undefined;
  } catch (error) {
    // Exceeds the serializer's buffer.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `{_id}` of a stored document. */
export function documentKey(document: Buffer): Buffer {
  const place = findId(document);
  return documentOf(place ? [document.subarray(place.start, place.end)] : []);
}
