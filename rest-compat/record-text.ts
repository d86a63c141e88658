import { type Form, formOf, withForm } from '../schema/plan/forms.ts';
import { type Piece, piecesOf, type Unwritten } from '../src/limits/answer-text.ts';
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

/** The JSON of a record around the leaves that are not in its form. */
interface Part {
  gaps: ReadonlyArray<{ before: string; leaf: Compiled }>;
  after: string;
}

interface Compiled {
  /** `,"key":` */
  name: string;
  key: string;
  transform: Transform | null;
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
  const compiled = leaves.map(({ leaf: { key }, transform, isEmptied }) => {
    return { name: `,${JSON.stringify(key)}:`, key, transform, isEmptied };
  });

  /** none: the record begins with a leaf that is not in its form. */
  function partOf(form: Form): Part | 'none' {
    const derived = form.derived ?? [];
    for (const { by, value } of derived) if (by === compiled) return value as Part | 'none';
    const part = createPart(form);
    form.derived = [...derived, { by: compiled, value: part }];
    return part;
  }

  function createPart(form: Form): Part | 'none' {
    const values = copy(form.values);
    const gaps: Array<Part['gaps'][number]> = [];
    // Joined, because a string that is added to keeps its parts.
    let texts = ['{'];
    const isEmpty = () => gaps.length === 0 && texts.length === 1;
    for (const leaf of compiled) {
      if (leaf.isEmptied || form.values[leaf.key] !== undefined) {
        const json = JSON.stringify(values[leaf.key]);
        if (json !== undefined) texts.push(isEmpty() ? leaf.name.slice(1) : leaf.name, json);
      } else if (isEmpty()) return 'none';
      else {
        gaps.push({ before: texts.join(''), leaf });
        texts = [];
      }
    }
    texts.push('}');
    return { gaps: gaps.slice(), after: texts.join('') };
  }

  return (value: JsonObject): string => {
    const form = formOf(value);
    if (!form) return JSON.stringify(copy(value));
    const part = partOf(form);
    if (part === 'none') return JSON.stringify(copy(withForm(value)));
    let text = '';
    for (const { before, leaf } of part.gaps) {
      text += before;
      const given = value[leaf.key];
      const json = JSON.stringify(leaf.transform ? leaf.transform(given) : given);
      if (json !== undefined) text += leaf.name + json;
    }
    return text + part.after;
  };
}

/** Levels of a body whose members may be lists of unwritten records: the body, and its members. */
const LIST_LEVELS = 2;

/** The pieces of the JSON of a body with unwritten records. */
export function bodyPieces(body: unknown): Piece[] {
  const pieces: Piece[] = [];
  addPieces(pieces, body, LIST_LEVELS);
  return pieces;
}

function addPieces(pieces: Piece[], value: unknown, levels: number): void {
  if (Array.isArray(value) && value[0] instanceof UnwrittenRecord) {
    for (const [index, record] of value.entries()) pieces.push(index === 0 ? '[' : ',', record as UnwrittenRecord);
    pieces.push(']');
  } else if (levels === 0 || Array.isArray(value) || typeof value !== 'object' || value === null) {
    for (const piece of piecesOf(value)) pieces.push(piece);
  } else {
    let separator = '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      pieces.push(`${separator}${JSON.stringify(key)}:`);
      separator = ',';
      addPieces(pieces, member, levels - 1);
    }
    pieces.push(separator === '{' ? '{}' : '}');
  }
}
