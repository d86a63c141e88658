import { type Decimal128, Double, type Int32, type Long } from 'bson';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  exactDecimal,
  isNumberType,
  type TypeName,
  toDecimal128,
  toNumber,
  typeOf,
} from '../../lib/index.ts';
import { toBigInt, toDecimal, wholeNumber, widerType } from './arithmetic.ts';

const ZERO: Decimal = { kind: 'finite', coefficient: 0n, exponent: 0 };

/** Sums numbers as `$sum` does: integers exactly, doubles with compensated summation; ignores other values. */
export class Summation {
  #type: TypeName = 'int';
  #whole = 0n;
  #double = 0;
  #error = 0;
  #decimal: Decimal = ZERO;
  count = 0;

  add(value: unknown): void {
    const type = typeOf(value);
    if (!isNumberType(type)) return;
    this.count++;
    this.#type = widerType(this.#type, type);
    if (type === 'decimal') this.#decimal = addDecimals(this.#decimal, toDecimal(value));
    else if (type === 'long') this.#addLong(toBigInt(value));
    else {
      if (type === 'int') this.#whole += toBigInt(value);
      this.#addDouble(toNumber(value));
    }
  }

  /** The total in the widest type seen; an integer sum beyond 64 bits becomes a double. */
  total(): Int32 | Long | Double | Decimal128 {
    if (this.#type === 'decimal') return toDecimal128(this.#decimalTotal());
    if (this.#type === 'double') return new Double(this.#double + this.#error);
    return wholeNumber(this.#whole, this.#type) ?? new Double(Number(this.#whole));
  }

  average(): Double | Decimal128 | null {
    if (this.count === 0) return null;
    if (this.#type === 'decimal')
      return toDecimal128(divideDecimals(toDecimal(this.total()), exactDecimal(this.count)));
    const total = this.#type === 'double' ? this.#double + this.#error : Number(this.#whole);
    return new Double(total / this.count);
  }

  /** Adds a long as two doubles, without loss. */
  #addLong(value: bigint): void {
    const nearest = Number(value);
    this.#whole += value;
    this.#addDouble(nearest);
    this.#addDouble(Number(value - BigInt(nearest)));
  }

  /** Kahan summation: the accumulated error is added to the next value. */
  #addDouble(value: number): void {
    const corrected = value + this.#error;
    const sum = this.#double + corrected;
    const part = sum - this.#double;
    const error = this.#double - (sum - part) + (corrected - part);
    this.#double = sum;
    this.#error = Number.isFinite(error) ? error : 0;
  }

  #decimalTotal(): Decimal {
    return [this.#double, this.#error]
      .filter((part) => part !== 0)
      .reduce((total, part) => addDecimals(total, exactDecimal(part)), this.#decimal);
  }
}
