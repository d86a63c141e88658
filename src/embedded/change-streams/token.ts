import { keyOf, timeOf } from '../change-log-entry.ts';
import { CommandError, failedToParse } from '../language/errors.ts';
import { describe, isDocument, typeOf } from '../language/values.ts';

/**
 * A place in the log: a change, the end of a stream that followed from it, or merely that everything up to here has
 * been seen. Ordered by key, then by kind.
 */
export interface ResumeToken {
  key: Buffer;
  kind: number;
}

export const EVENT = 0;
export const INVALIDATION = 1;
export const SEEN = 2;
/** From a real server: it has a time, and no change of this log is it. */
const FOREIGN = -1;

/** Drivers and tools read a token's time from here: a byte for its type, then seconds and increment. */
const TIMESTAMP = 0x82;
const LENGTH = 1 + 12 + 1;
const TIME_LENGTH = 1 + 8;

/** Upper-case hexadecimal digits, as MongoDB's `_data`; texts sort as the places do. */
export function encodeToken({ key, kind }: ResumeToken): string {
  return Buffer.concat([Buffer.from([TIMESTAMP]), key, Buffer.from([kind])])
    .toString('hex')
    .toUpperCase();
}

export const isAfter = (a: ResumeToken, b: ResumeToken): boolean =>
  (Buffer.compare(a.key, b.key) || a.kind - b.kind) > 0;

/** @throws CommandError 14, 40647, 40649, 9 or 50811 for what is no token, as MongoDB does */
export function parseToken(option: string, value: unknown): ResumeToken {
  if (!isDocument(value)) {
    throw new CommandError(
      14,
      `BSON field '$changeStream.${option}' is the wrong type '${typeOf(value)}', expected type 'object'`,
    );
  }
  const { _data: data } = value;
  if (typeof data !== 'string') {
    throw new CommandError(40647, `Bad resume token: _data must be a string, got ${describe(value)}`);
  }
  if (data === '') throw new CommandError(40649, 'The resume token is empty');
  if (data.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(data)) {
    throw failedToParse('The resume token is not a hexadecimal string');
  }
  const bytes = Buffer.from(data, 'hex');
  if (bytes[0] !== TIMESTAMP || bytes.length < TIME_LENGTH) {
    throw new CommandError(50811, 'The resume token does not begin with a time');
  }
  const isOurs = bytes.length === LENGTH && bytes[LENGTH - 1]! <= SEEN;
  if (isOurs) return { key: bytes.subarray(1, LENGTH - 1), kind: bytes[LENGTH - 1]! };
  const time = timeOf(bytes.subarray(1, TIME_LENGTH));
  return { key: keyOf(time, 0), kind: FOREIGN };
}

/** The place that is known to be there, and so cannot be missed: everything else must be met again on the way. */
export const isPlaceOnly = ({ kind }: ResumeToken): boolean => kind === SEEN;
