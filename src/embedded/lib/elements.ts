import { CommandError } from './errors.ts';

/**
 * Elements of one document, of one statement, and of a command beside its documents or statements. Decoding, changing
 * and encoding a document cannot pause, and their time grows with its elements.
 */
export const MAX_ELEMENTS = 100_000;
/** A field costs more than an item of an array, because documents with new names get new shapes in memory. */
export const FIELD_WEIGHT = 5;

/** How deep documents may nest; the documented limit of MongoDB for stored documents. */
export const MAX_DEPTH = 180;

export const tooManyElements = (): CommandError =>
  new CommandError(
    10334,
    `a document or command has more than ${MAX_ELEMENTS} elements, where a stored field counts as ${FIELD_WEIGHT} (limit of the embedded store; set MONGODB_URI to use a MongoDB server)`,
  );

export interface ElementLimits {
  /** {@link FIELD_WEIGHT} for a document that is to be stored, since it will be decoded. */
  fieldWeight?: number | undefined;
  /**
   * How many elements are allowed where that is more than {@link MAX_ELEMENTS}: for what is made of a stored document
   * that has more, because an earlier version stored it. Called only beyond that bound.
   */
  allowed?: (() => number) | undefined;
}

/** @throws CommandError 10334 for a document with more than {@link MAX_ELEMENTS}, or than the limits allow */
export const assertFewElements = (document: object, limits?: ElementLimits): void =>
  new ElementCount(limits).addWithin(document);

/** The elements of a stored document. */
export function countElements(document: object, fieldWeight?: number): number {
  const count = new ElementCount({ fieldWeight, allowed: () => Number.POSITIVE_INFINITY });
  count.addWithin(document);
  return count.elements;
}

/** How many elements a result may have that is made of a stored document: it may add as many as any other may have. */
export function allowedFor(document: object): number {
  const elements = countElements(document);
  return elements > MAX_ELEMENTS ? elements + MAX_ELEMENTS : MAX_ELEMENTS;
}

export const tooDeep = (): CommandError =>
  new CommandError(15, `BSONObj exceeds maximum nested object depth: ${MAX_DEPTH}`);

/** Counts the elements that one document is to have. */
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
