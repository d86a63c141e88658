import type { Timestamp } from 'bson';
import { ARRAY, EMBEDDED_DOCUMENT } from './bytes.ts';

export interface CursorBatch {
  field: 'firstBatch' | 'nextBatch';
  documents: readonly Uint8Array[];
  id: bigint;
  ns: string;
  /** The time of the snapshot from which the documents were read. */
  atClusterTime?: Timestamp | undefined;
}

/** Encodes `{cursor: {<field>: documents, id, ns}, ok: 1}` and copies the stored bytes of the documents unchanged. */
export function cursorReply({ field, documents, id, ns, atClusterTime }: CursorBatch): Buffer {
  const name = Buffer.from(ns);
  const head = 1 + 6 + 1 + 4; // element "cursor" up to its content
  const arrayHead = 1 + field.length + 1 + 4;
  let arraySize = 5;
  for (let i = 0; i < documents.length; i++) arraySize += 2 + digits(i) + documents[i]!.length;
  const idSize = 1 + 3 + 8;
  const nsSize = 1 + 3 + 4 + name.length + 1;
  const timeSize = atClusterTime ? 1 + 14 + 8 : 0;
  const okSize = 1 + 3 + 8;
  const cursorSize = 4 + (arrayHead - 4) + arraySize + idSize + nsSize + timeSize + 1;
  const total = 4 + (head - 4) + cursorSize + okSize + 1;

  const out = Buffer.allocUnsafe(total);
  let at = out.writeInt32LE(total, 0);
  at = writeName(out, at, EMBEDDED_DOCUMENT, 'cursor');
  at = out.writeInt32LE(cursorSize, at);
  at = writeName(out, at, ARRAY, field);
  at = out.writeInt32LE(arraySize, at);
  for (let i = 0; i < documents.length; i++) {
    at = writeName(out, at, EMBEDDED_DOCUMENT, String(i));
    out.set(documents[i]!, at);
    at += documents[i]!.length;
  }
  out[at++] = 0;
  at = out.writeBigInt64LE(id, writeName(out, at, 18, 'id'));
  at = out.writeInt32LE(name.length + 1, writeName(out, at, 2, 'ns'));
  at += name.copy(out, at);
  out[at++] = 0;
  if (atClusterTime) at = out.writeBigUInt64LE(atClusterTime.toBigInt(), writeName(out, at, 17, 'atClusterTime'));
  out[at++] = 0;
  at = out.writeDoubleLE(1, writeName(out, at, 1, 'ok'));
  out[at] = 0;
  return out;
}

function writeName(out: Buffer, at: number, type: number, name: string): number {
  out[at++] = type;
  at += out.write(name, at, 'latin1');
  out[at++] = 0;
  return at;
}

const digits = (i: number): number => (i < 10 ? 1 : i < 100 ? 2 : i < 1000 ? 3 : String(i).length);
