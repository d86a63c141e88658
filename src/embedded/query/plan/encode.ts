import { BSON, type Document } from 'bson';
import {
  allowedFor,
  assertFewElements,
  CommandError,
  DECODE,
  type ElementLimits,
  MAX_ELEMENTS,
} from '../../lib/index.ts';
import { LARGE_VALUE, paddedCopy, type Row, type Version } from '../../storage/index.ts';
import type { Progress } from './progress.ts';

export const decode = (bytes: Uint8Array): Document => BSON.deserialize(bytes, DECODE);

/** Decodes a stored document and raises the element limit of results if the document exceeds it. */
export function decodeCounted(bytes: Uint8Array, progress: Progress): Document {
  const document = decode(bytes);
  // An element has at least two bytes.
  if (bytes.length > 2 * MAX_ELEMENTS) {
    progress.allowedElements = Math.max(progress.allowedElements, allowedFor(document));
  }
  return document;
}

/** @throws CommandError 10334 if the document is too large or has too many elements */
export function encode(document: Document, limits?: ElementLimits): Buffer {
  assertFewElements(document, limits);
  try {
    const bytes = BSON.serialize(document);
    return bytes.length >= LARGE_VALUE ? paddedCopy([bytes]) : Buffer.from(bytes);
  } catch (error) {
    // The serializer's buffer is slightly larger than the largest document.
    if (error instanceof RangeError) throw new CommandError(10334, 'BSONObj size is invalid: larger than 16 MiB');
    throw error;
  }
}

export const versionOf = (row: Row): Version => ({ bytes: row.bytes, document: decode(row.bytes) });
