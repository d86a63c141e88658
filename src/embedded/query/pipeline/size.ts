import { BSON, type Document } from 'bson';

/** What an object costs beside the bytes of its values. */
const OVERHEAD = 100;

/** About what a document takes in memory. */
export const sizeOf = (document: Document): number =>
  OVERHEAD + BSON.calculateObjectSize(document, { ignoreUndefined: true });

/** About what a value takes in memory. */
export function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return 32 + value.length;
  return typeof value === 'object' && value !== null ? sizeOf({ value }) : 16;
}
