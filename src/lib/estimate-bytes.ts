/** Sizes of V8's objects, their properties and strings on 64-bit systems. */
const OBJECT_BYTES = 56;
const PROPERTY_BYTES = 16;
const STRING_BYTES = 24;
/** An id, a date or another instance of a class. */
const INSTANCE_BYTES = 96;

/** Estimates the heap bytes of a record or another plain value, for caches that are bounded in bytes. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return STRING_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (ArrayBuffer.isView(value)) return INSTANCE_BYTES + value.byteLength;
  if (Array.isArray(value)) {
    let bytes = OBJECT_BYTES;
    for (const item of value) bytes += PROPERTY_BYTES + estimateBytes(item);
    return bytes;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return INSTANCE_BYTES;
  let bytes = OBJECT_BYTES;
  for (const key in value) bytes += PROPERTY_BYTES + estimateBytes((value as { [key: string]: unknown })[key]);
  return bytes;
}
