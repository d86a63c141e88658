import type { Document } from 'bson';
import {
  CommandError,
  failedToParse,
  isDocument,
  isNumber,
  isTruthy,
  toNumber,
  typeMismatch,
  typeOf,
} from '../lib/index.ts';

const MAX_NODES = 50;
const OPTIONS: ReadonlySet<string> = new Set(['w', 'j', 'wtimeout', 'fsync', 'provenance']);

/**
 * Returns the `writeConcernError` of a write that cannot be acknowledged by the members that its write concern
 * requires: this replica set has one member, without tags.
 *
 * @returns undefined if the write concern is satisfied
 * @throws CommandError 9, 14 or 40415 for a malformed write concern; nothing is written then
 */
export function writeConcernError(value: unknown): Document | undefined {
  if (value === undefined) return undefined;
  if (!isDocument(value)) {
    throw typeMismatch(`"writeConcern" had the wrong type. Expected object, found ${typeOf(value)}`);
  }
  for (const name of Object.keys(value)) {
    if (!OPTIONS.has(name)) {
      throw new CommandError(40415, `BSON field 'WriteConcernOptions.${name}' is an unknown field.`);
    }
  }
  const { w } = value;
  for (const name of ['j', 'fsync']) assertFlag(name, value[name]);
  if (isTruthy(value.j) && isTruthy(value.fsync)) throw failedToParse('fsync and j options cannot be used together');
  const refusal = refusalOf(w);
  if (!refusal) return undefined;
  const wtimeout = isNumber(value.wtimeout) ? Math.trunc(toNumber(value.wtimeout)) : 0;
  const { code, codeName, message } = refusal;
  return {
    code,
    codeName,
    errmsg: message,
    errInfo: { writeConcern: { w, wtimeout, provenance: 'clientSupplied' } },
  };
}

function assertFlag(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean' || isNumber(value)) return;
  throw typeMismatch(
    `BSON field 'WriteConcernOptions.${name}' is the wrong type '${typeOf(value)}', expected types '[bool, long, int, decimal, double']`,
  );
}

/** The reason why a single member cannot satisfy the write concern; undefined if it can. */
function refusalOf(w: unknown): CommandError | undefined {
  if (w === undefined || w === 'majority') return undefined;
  if (typeof w === 'string') {
    return new CommandError(79, `No write concern mode named '${w}' found in replica set configuration`);
  }
  if (isDocument(w)) return new CommandError(4, `No replica set tag key ${Object.keys(w)[0]} in config`);
  if (!isNumber(w)) throw failedToParse('w has to be a number, string, or object');
  const nodes = toNumber(w);
  if (!(nodes >= 0 && nodes <= MAX_NODES)) {
    throw failedToParse(`w has to be a non-negative number and not greater than ${MAX_NODES}; found: ${nodes}`);
  }
  return Math.trunc(nodes) > 1 ? new CommandError(100, 'Not enough data-bearing nodes') : undefined;
}
