import { CommandError } from './errors.ts';

/**
 * The maximum number of elements in a document, in a statement, and in the rest of a command. Decoding, changing and
 * encoding a document cannot pause, and their time grows with the number of elements.
 */
export const MAX_ELEMENTS = 100_000;
/** A field counts as this many elements, because documents with new field names create new hidden classes in V8. */
export const FIELD_WEIGHT = 5;

/** The maximum nesting depth of a document, as for stored documents in MongoDB. */
export const MAX_DEPTH = 180;

export const tooManyElements = (): CommandError =>
  new CommandError(
    10334,
    `a document or command has more than ${MAX_ELEMENTS} elements, where a stored field counts as ${FIELD_WEIGHT} (limit of the embedded store; set MONGODB_URI to use a MongoDB server)`,
  );

export interface ElementLimits {
  /** {@link FIELD_WEIGHT} for a document that will be stored, because it will be decoded later. */
  fieldWeight?: number | undefined;
  /**
   * Returns a limit above {@link MAX_ELEMENTS} for results derived from a document that an earlier version stored with
   * more elements. Called only when {@link MAX_ELEMENTS} is exceeded.
   */
  allowed?: (() => number) | undefined;
}

/** @throws CommandError 10334 for a document with more than {@link MAX_ELEMENTS}, or than the limits allow */
export const assertFewElements = (document: object, limits?: ElementLimits): void =>
  new ElementCount(limits).addWithin(document);

/** Counts the elements of a stored document. */
export function countElements(document: object, fieldWeight?: number): number {
  const count = new ElementCount({ fieldWeight, allowed: () => Number.POSITIVE_INFINITY });
  count.addWithin(document);
  return count.elements;
}

/**
 * The element limit of a result derived from a stored document: an oversized document may grow by {@link MAX_ELEMENTS}.
 */
export function allowedFor(document: object): number {
  const elements = countElements(document);
  return elements > MAX_ELEMENTS ? elements + MAX_ELEMENTS : MAX_ELEMENTS;
}

export const tooDeep = (): CommandError =>
  new CommandError(15, `BSONObj exceeds maximum nested object depth: ${MAX_DEPTH}`);

/** Counts the elements of one document while it is built. */
export class ElementCount {
  elements = 0;
  readonly #fieldWeight: number;
  readonly #allowed: ElementLimits['allowed'];
  #most = MAX_ELEMENTS;

  constructor({ fieldWeight = 1, allowed }: ElementLimits = {}) {
    this.#fieldWeight = fieldWeight;
    this.#allowed = allowed;
  }

  /** @throws CommandError 10334 when there are more than {@link MAX_ELEMENTS}, or than the limits allow */
  add(value: unknown): void {
    this.#count(1);
    if (typeof value === 'object' && value !== null) this.addWithin(value);
  }

  addWithin(value: object, depth = 1): void {
    if (depth > MAX_DEPTH) throw tooDeep();
    if (Array.isArray(value)) {
      this.#count(value.length);
      for (const item of value) if (typeof item === 'object' && item !== null) this.addWithin(item, depth + 1);
      return;
    }
    if ('_bsontype' in value || value instanceof Date || ArrayBuffer.isView(value)) return;
    for (const name in value) {
      const item = (value as Record<string, unknown>)[name];
      this.#count(this.#fieldWeight);
      if (typeof item === 'object' && item !== null) this.addWithin(item, depth + 1);
    }
  }

  #count(elements: number): void {
    this.elements += elements;
    if (this.elements <= this.#most) return;
    this.#most = Math.max(this.#most, this.#allowed?.() ?? 0);
    if (this.elements > this.#most) throw tooManyElements();
  }
}
