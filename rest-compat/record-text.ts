import { type Form, formOf } from '../schema/plan/forms.ts';
import { piecesOf } from '../src/limits/answer-text.ts';
import type { Leaf } from './shapes.ts';

export type JsonObject = { [key: string]: unknown };
export type Transform = (value: unknown) => unknown;

/** The JSON of records of one shape, and the objects that it represents. */
interface Writer {
  copy: (value: JsonObject) => JsonObject;
  write: (value: JsonObject) => string;
}

/** A record of an answer, which is serialized when the answer is sent. */
export class UnwrittenRecord {
  private readonly writer: Writer;
  private readonly value: JsonObject;

  constructor(writer: Writer, value: JsonObject) {
    this.writer = writer;
    this.value = value;
  }

  text(): string {
    return this.writer.write(this.value);
  }

  /** For transports that serialize by themselves. */
  toJSON(): JsonObject {
    return this.writer.copy(this.value);
  }
}

interface WrittenLeaf {
  leaf: Leaf;
  transform: Transform | null;
  /** Whether the record has an empty list instead of the value. */
  isEmptied: boolean;
}

interface Part {
  /** The JSON object with the values of a form, without its closing brace. */
  text: string;
  /** The other leaves. */
  others: ReadonlyArray<{ name: string; key: string; transform: Transform | null }>;
}

/** Writers of equal records, which routes share. */
const writers = new Map<string, Writer>();

/**
 * Compiles the serialization of a record: what depends on the stored record alone is serialized once for each of its
 * versions.
 *
 * @param copy makes the object that the JSON represents
 */
export function compileWriter(leaves: readonly WrittenLeaf[], copy: Writer['copy']): Writer {
  const signature = JSON.stringify(leaves.map(({ leaf, isEmptied }) => [signatureOf(leaf), isEmptied]));
  let writer = writers.get(signature);
  if (!writer) {
    writer = { copy, write: createWrite(leaves, copy) };
    writers.set(signature, writer);
  }
  return writer;
}

/** What makes two leaves equal. */
function signatureOf({ key, enumType, inner, isOmittedWhenNull }: Leaf): unknown {
  return [key, enumType?.name ?? null, isOmittedWhenNull, inner?.map(signatureOf) ?? null];
}

function createWrite(leaves: readonly WrittenLeaf[], copy: Writer['copy']): Writer['write'] {
  const parts = new WeakMap<Form, Part>();
  const all = leaves
    .filter(({ isEmptied }) => !isEmptied)
    .map(({ leaf: { key }, transform }) => ({ name: `,${JSON.stringify(key)}:`, key, transform }));

  function partOf(form: Form): Part {
    const text = JSON.stringify(copy(form.values)).slice(0, -1);
    const part = { text, others: all.filter(({ key }) => form.values[key] === undefined) };
    parts.set(form, part);
    return part;
  }

  return (value: JsonObject): string => {
    const form = formOf(value);
    const part = form && (parts.get(form) ?? partOf(form));
    if (!part || part.text === '{') return JSON.stringify(copy(value));
    let { text } = part;
    for (const { name, key, transform } of part.others) {
      const json = JSON.stringify(transform ? transform(value[key]) : value[key]);
      if (json !== undefined) text += name + json;
    }
    return `${text}}`;
  };
}

/** Levels of a body at which the lists of records are: of the body, or of an object in it. */
const LIST_LEVELS = 2;

/** The pieces of the JSON of a body with unwritten records. */
export function* bodyPieces(body: unknown, depth = LIST_LEVELS): Generator<string, void, void> {
  if (Array.isArray(body) && body[0] instanceof UnwrittenRecord) {
    for (const [index, record] of body.entries()) yield (index === 0 ? '[' : ',') + (record as UnwrittenRecord).text();
    yield ']';
  } else if (depth > 0 && typeof body === 'object' && body !== null && !Array.isArray(body)) {
    let separator = '{';
    for (const [key, value] of Object.entries(body)) {
      if (value === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      yield* bodyPieces(value, depth - 1);
    }
    yield separator === '{' ? '{}' : '}';
  } else yield* piecesOf(body);
}
