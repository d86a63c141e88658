import { BSON, type Document } from 'bson';

/** The approximate overhead of an object in bytes. */
const OVERHEAD = 100;

/** The approximate size of a document in memory. */
export const sizeOf = (document: Document): number =>
  OVERHEAD + BSON.calculateObjectSize(document, { ignoreUndefined: true });

/** The approximate size of a value in memory. */
export function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return 32 + value.length;
  return typeof value === 'object' && value !== null ? sizeOf({ value }) : 16;
}
