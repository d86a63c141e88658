import type { Document } from 'bson';
import { documentOf, entriesOf, isDocument, isNumber } from '../lib/index.ts';
import { encode } from '../query/index.ts';

/** The last stages of a pipeline, if they need no decoded documents. */
export interface Undecoded {
  wrap(bytes: Uint8Array): Uint8Array;
  /** The pipelines of `$unionWith`, whose documents follow. */
  unions: Array<{ coll: string; pipeline: Document[] }>;
}

/**
 * Compiles stages that copy whole documents: `$replaceWith` of an object with one `$$ROOT` and literal numbers, then
 * any number of `$unionWith`; null for other stages. Decoding and encoding a document is a hundred times slower than
 * copying it.
 */
export function parseUndecoded(stages: readonly Document[]): Undecoded | null {
  const first = stages[0]?.$replaceWith;
  const wrap = first === undefined ? (bytes: Uint8Array) => bytes : parseWrapper(first);
  if (!wrap) return null;
  const unions: Undecoded['unions'] = [];
  for (const { $unionWith: union } of stages.slice(first === undefined ? 0 : 1)) {
    if (union === undefined) return null;
    unions.push(typeof union === 'string' ? { coll: union, pipeline: [] } : { pipeline: [], ...union });
  }
  return { wrap, unions };
}

/** Encodes one element that contains the bytes of a document. */
type Element = (bytes: Uint8Array) => Uint8Array;

function parseWrapper(object: unknown): Undecoded['wrap'] | null {
  if (!isDocument(object)) return null;
  const elements: Element[] = [];
  let roots = 0;
  for (const [name, value] of entriesOf(object)) {
    const element = parseElement(name, value);
    if (!element) return null;
    if (!isLiteralNumber(value)) roots += 1;
    elements.push(element);
  }
  return roots === 1 ? (bytes) => documentOf(elements.map((element) => element(bytes))) : null;
}

function parseElement(name: string, value: unknown): Element | null {
  if (/[$.]/.test(name)) return null;
  if (isLiteralNumber(value)) {
    const element = encode({ [name]: value.$literal }).subarray(4, -1);
    return () => element;
  }
  if (value === '$$ROOT') return (bytes) => Buffer.concat([head(DOCUMENT, name), bytes]);
  if (!Array.isArray(value) || value.length !== 1 || value[0] !== '$$ROOT') return null;
  return (bytes) => Buffer.concat([head(ARRAY, name), documentOf([Buffer.concat([head(DOCUMENT, '0'), bytes])])]);
}

const isLiteralNumber = (value: unknown): value is { $literal: unknown } =>
  isDocument(value) && Object.keys(value).length === 1 && isNumber(value.$literal);

const DOCUMENT = 3;
const ARRAY = 4;

const head = (type: number, name: string): Buffer => Buffer.from(`${String.fromCharCode(type)}${name}\0`);
