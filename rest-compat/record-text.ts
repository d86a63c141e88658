import { type Form, formOf, withForm } from '../schema/plan/forms.ts';
import { addMembers, addPieces, type Piece, type Unwritten } from '../src/limits/answer-text.ts';
import type { Leaf } from './shapes.ts';

export type JsonObject = { [key: string]: unknown };
export type Transform = (value: unknown) => unknown;

/** The JSON of records of one shape, and the objects that it represents. */
interface Writer {
  copy: (value: JsonObject) => JsonObject;
  write: (value: JsonObject) => string;
}

/** A record of an answer, which is serialized when the answer is sent. */
export class UnwrittenRecord implements Unwritten {
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
    return this.writer.copy(withForm(this.value));
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
    if (!part || part.text === '{') return JSON.stringify(copy(withForm(value)));
    let { text } = part;
    for (const { name, key, transform } of part.others) {
      const json = JSON.stringify(transform ? transform(value[key]) : value[key]);
      if (json !== undefined) text += name + json;
    }
    return `${text}}`;
  };
}

/** The pieces of the JSON of a body, whose members, or the members of these, may be lists of unwritten records. */
export function bodyPieces(body: unknown): Piece[] {
  const pieces: Piece[] = [];
  addBody(pieces, body, addBodyMember);
  return pieces;
}

const addBodyMember = (pieces: Piece[], member: unknown) => addBody(pieces, member, addInnerMember);
const addInnerMember = (pieces: Piece[], member: unknown) => addBody(pieces, member, addPieces);

function addBody(pieces: Piece[], body: unknown, addMember: typeof addPieces): void {
  if (Array.isArray(body) && body[0] instanceof UnwrittenRecord) {
    for (const [index, record] of body.entries()) pieces.push(index === 0 ? '[' : ',', record as UnwrittenRecord);
    pieces.push(']');
  } else if (Array.isArray(body) || typeof body !== 'object' || body === null) addPieces(pieces, body);
  else addMembers(pieces, body, addMember);
}
