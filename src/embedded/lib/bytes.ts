/** BSON types. */
export const EMBEDDED_DOCUMENT = 3;
export const ARRAY = 4;

/** Sizes in bytes of the BSON types whose values have a fixed size. */
export const FIXED_SIZES: Readonly<Record<number, number>> = {
  1: 8, // double
  6: 0, // undefined
  7: 12, // ObjectId
  8: 1, // bool
  9: 8, // date
  10: 0, // null
  16: 4, // int
  17: 8, // timestamp
  18: 8, // long
  19: 16, // decimal
  127: 0, // MaxKey
  255: 0, // MinKey
};

/** {@link FIXED_SIZES} of all types, -1 for the others. */
const SIZES = Int8Array.from({ length: 256 }, (_, type) => FIXED_SIZES[type] ?? -1);

/** The size in bytes of the value at `at`, in a well-formed document. */
export function valueSize(bytes: Buffer, type: number, at: number): number {
  const fixed = SIZES[type]!;
  if (fixed >= 0) return fixed;
  switch (type) {
    case 2: // string
    case 13: // code
    case 14: // symbol
      return 4 + bytes.readInt32LE(at);
    case 5: // binary
      return 5 + bytes.readInt32LE(at);
    case 11: // regular expression: two texts
      return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
    case 12: // DBPointer
      return 16 + bytes.readInt32LE(at);
    default:
      return bytes.readInt32LE(at);
  }
}

/** The position of one element: the type byte is at `start`, the value from `valueStart` to `end`. */
export interface ElementPlace {
  start: number;
  nameEnd: number;
  valueStart: number;
  end: number;
}

/** Iterates over the elements of a well-formed document that begins at `from`. */
export function* elementsOf(bytes: Buffer, from = 0): Generator<ElementPlace> {
  let start = from + 4;
  while (bytes[start] !== 0) {
    const type = bytes[start]!;
    const nameEnd = bytes.indexOf(0, start + 1);
    const valueStart = nameEnd + 1;
    const end = valueStart + valueSize(bytes, type, valueStart);
    yield { start, nameEnd, valueStart, end };
    start = end;
  }
}

/** The position of the element `_id` in a well-formed document. */
export function findId(bytes: Buffer): { start: number; end: number } | undefined {
  for (const { start, nameEnd, end } of elementsOf(bytes)) {
    if (nameEnd - start === 4 && bytes.toString('latin1', start + 1, nameEnd) === '_id') return { start, end };
  }
  return undefined;
}

/** Builds a document from encoded elements. */
export function documentOf(elements: readonly Uint8Array[]): Buffer {
  const size = 5 + elements.reduce((sum, element) => sum + element.length, 0);
  const document = Buffer.allocUnsafe(size);
  document.writeInt32LE(size, 0);
  let at = 4;
  for (const element of elements) {
    document.set(element, at);
    at += element.length;
  }
  document[at] = 0;
  return document;
}
