import { type Decimal128, Double, type Int32, type Long } from 'bson';
import { toBigInt, toDecimal, wholeNumber, widerType } from './arithmetic.ts';
import { addDecimals, type Decimal, divideDecimals, exactDecimal, toDecimal128 } from './decimal.ts';
import { isNumberType, type TypeName, toNumber, typeOf } from './values.ts';

/** Sums numbers as `$sum` does: whole numbers exactly, doubles with a compensated error, anything else ignored. */
export class Summation {
  #type: TypeName = 'int';
  #whole = 0n;
  #double = 0;
  #error = 0;
  #decimal: Decimal = { kind: 'finite', coefficient: 0n, exponent: 0 };
  count = 0;

  add(value: unknown): void {
    const type = typeOf(value);
    if (!isNumberType(type)) return;
    this.count++;
    this.#type = widerType(this.#type, type);
    if (type === 'decimal') this.#decimal = addDecimals(this.#decimal, toDecimal(value));
    else if (type === 'double') this.#addDouble(toNumber(value));
    else this.#whole += toBigInt(value);
  }

  /** The total in the widest type seen; a whole sum beyond 64 bits is a double. */
  total(): Int32 | Long | Double | Decimal128 {
    if (this.#type === 'decimal') return toDecimal128(this.#decimalTotal());
    if (this.#type === 'double') return new Double(this.#doubleTotal());
    return wholeNumber(this.#whole, this.#type) ?? new Double(Number(this.#whole));
  }

  average(): Double | Decimal128 | null {
    if (this.count === 0) return null;
    if (this.#type === 'decimal') return toDecimal128(divideDecimals(this.#decimalTotal(), exactDecimal(this.count)));
    return new Double(this.#doubleTotal() / this.count);
  }

  #addDouble(value: number): void {
    const sum = this.#double + value;
    const part = sum - this.#double;
    const error = this.#double - (sum - part) + (value - part);
    this.#double = sum;
    if (Number.isFinite(error)) this.#error += error;
  }

  #doubleTotal(): number {
    const whole = Number(this.#whole);
    const rest = Number(this.#whole - BigInt(whole));
    const before = { double: this.#double, error: this.#error };
    this.#addDouble(whole);
    const total = this.#double + (this.#error + rest);
    this.#double = before.double;
    this.#error = before.error;
    return total;
  }

  #decimalTotal(): Decimal {
    const double = this.#double + this.#error;
    const rest = addDecimals(
      exactDecimal(this.#whole),
      double === 0 ? exactDecimal(0n) : toDecimal(new Double(double)),
    );
    return addDecimals(this.#decimal, rest);
  }
}
