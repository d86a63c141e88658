import type { Code, Document, ObjectId, Timestamp } from 'bson';
import { Decimal128 } from 'bson';
import { binaryParts, ELEMENTS_PER_STEP, numericOf, TYPE_RANK } from './compare.ts';
import { type Decimal, distanceFrom, exactDecimal } from './decimal.ts';
import { spendSteps } from './steps.ts';
import type { Direction } from './types.ts';
import { entriesOf, regexParts, typeOf } from './values.ts';

/** Terminates strings, documents, arrays and digits; lower than any byte inside them. */
const END = 0;

/**
 * Encodes values so that the order of the bytes is the order of {@link import('./compare.ts').compareValues}, each
 * value in its direction. Equal numbers of different types have the same encoding. No encoding is a prefix of another,
 * so the key of the first n values is a prefix of the key of all.
 */
export function encodeKey(values: readonly unknown[], directions: readonly Direction[]): Buffer {
  const writer = new KeyWriter();
  for (const [i, value] of values.entries()) {
    const start = writer.length;
    writer.value(value);
    if (directions[i] === -1) writer.invertFrom(start);
  }
  return writer.finish();
}

class KeyWriter {
  #bytes = Buffer.allocUnsafe(64);
  length = 0;

  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length));
  }

  invertFrom(start: number): void {
    for (let i = start; i < this.length; i++) this.#bytes[i] = ~this.#bytes[i]! & 0xff;
  }

  value(value: unknown): void {
    const type = typeOf(value);
    this.#byte(TYPE_RANK[type]);
    switch (type) {
      case 'int':
      case 'double':
      case 'long':
      case 'decimal':
        this.#number(numericOf(value));
        break;
      case 'string':
      case 'symbol':
        this.#text(String(value));
        break;
      case 'object':
        this.#document(value as Document);
        break;
      case 'array':
        spendSteps(1 + (value as unknown[]).length / ELEMENTS_PER_STEP);
        for (const element of value as unknown[]) this.value(element);
        this.#byte(END);
        break;
      case 'binData':
        this.#binary(value);
        break;
      case 'objectId':
        this.#raw((value as ObjectId).id);
        break;
      case 'bool':
        this.#byte(value ? 1 : 0);
        break;
      case 'date':
        this.#integer(BigInt((value as Date).getTime()) + 2n ** 63n);
        break;
      case 'timestamp':
        this.#unsigned32((value as Timestamp).getHighBitsUnsigned());
        this.#unsigned32((value as Timestamp).getLowBitsUnsigned());
        break;
      case 'regex':
        this.#text(regexParts(value).pattern);
        this.#text(regexParts(value).options);
        break;
      case 'javascript':
        this.#text((value as Code).code);
        break;
      case 'javascriptWithScope':
        this.#text((value as Code).code);
        this.#document((value as Code).scope ?? {});
        break;
    }
  }

  /** Type before name before value: the order in which documents compare. */
  #document(document: Document): void {
    const entries = entriesOf(document);
    spendSteps(1 + entries.length / ELEMENTS_PER_STEP);
    for (const [name, value] of entries) {
      this.#byte(TYPE_RANK[typeOf(value)]);
      this.#text(name);
      this.value(value);
    }
    this.#byte(END);
  }

  /** The nearest double in eight ordered bytes, then the distance of the exact value from it. */
  #number(value: number | bigint | Decimal128): void {
    const nearest = nearestDouble(value);
    this.#double(nearest);
    const distance = typeof value === 'number' ? undefined : distanceFrom(exactDecimal(value), nearest);
    if (distance?.kind !== 'finite' || distance.coefficient === 0n) {
      this.#byte(0x80);
      return;
    }
    const isNegative = distance.coefficient < 0n;
    this.#byte(isNegative ? 0x40 : 0xc0);
    const start = this.length;
    this.#magnitude(distance);
    if (isNegative) this.invertFrom(start);
  }

  #double(value: number): void {
    const start = this.length;
    this.#room(8);
    if (Number.isNaN(value)) {
      this.#bytes.fill(0, start, start + 8);
    } else {
      this.#bytes.writeDoubleBE(value === 0 ? 0 : value, start);
    }
    this.length += 8;
    if (Number.isNaN(value)) return;
    if (value < 0) this.invertFrom(start);
    else this.#bytes[start]! |= 0x80;
  }

  #magnitude(value: Decimal & { kind: 'finite' }): void {
    const digits = (value.coefficient < 0n ? -value.coefficient : value.coefficient).toString();
    const scale = digits.length + value.exponent + 0x8000;
    this.#byte(scale >> 8);
    this.#byte(scale & 0xff);
    for (const digit of digits.replace(/0+$/, '')) this.#byte(Number(digit) + 1);
    this.#byte(END);
  }

  #binary(value: unknown): void {
    const { bytes, subtype } = binaryParts(value);
    this.#unsigned32(bytes.length);
    this.#byte(subtype);
    this.#raw(bytes);
  }

  #text(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    this.#room(bytes.length * 2 + 1);
    for (const byte of bytes) {
      // Zero terminates the string, so zero and one are escaped.
      if (byte <= 1) this.#bytes[this.length++] = 1;
      this.#bytes[this.length++] = byte <= 1 ? byte + 1 : byte;
    }
    this.#bytes[this.length++] = END;
  }

  #integer(value: bigint): void {
    this.#room(8);
    this.#bytes.writeBigUInt64BE(value, this.length);
    this.length += 8;
  }

  #unsigned32(value: number): void {
    this.#room(4);
    this.#bytes.writeUInt32BE(value, this.length);
    this.length += 4;
  }

  #raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.length++] = byte;
  }

  #room(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + count));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

/**
 * A decimal beyond the range of doubles is encoded relative to the largest double, so that infinities sort outermost.
 */
function nearestDouble(value: number | bigint | Decimal128): number {
  if (typeof value === 'number') return value;
  const nearest = value instanceof Decimal128 ? Number(value.toString()) : Number(value);
  if (Number.isFinite(nearest) || (value instanceof Decimal128 && exactDecimal(value).kind !== 'finite'))
    return nearest;
  return nearest > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE;
}
