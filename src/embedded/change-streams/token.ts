import { CommandError, describe, failedToParse, isDocument, typeOf } from '../lib/index.ts';
import { keyOf, LOG_ID_LENGTH, timeOf } from '../storage/index.ts';

/**
 * A place in the log: a change, the end of a stream that followed from it, or merely that everything up to here has
 * been seen. Ordered by key, then by kind.
 */
export interface ResumeToken {
  key: Buffer;
  kind: number;
  /** The log that it is a place in; undefined for a time, which is one in every log. */
  log: Buffer | undefined;
}

export const EVENT = 0;
export const INVALIDATION = 1;
export const SEEN = 2;
/** From a real server: it has a time, and no change of this log is it. */
const FOREIGN = -1;

/** Drivers and tools read a token's time from here: a byte for its type, then seconds and increment. */
const TIMESTAMP = 0x82;
const KEY_END = 1 + 12;
const LOG_END = KEY_END + LOG_ID_LENGTH;
const LENGTH = LOG_END + 1;
/** Of a time alone. */
const NO_LOG = Buffer.alloc(LOG_ID_LENGTH);
const TIME_LENGTH = 1 + 8;

/** Upper-case hexadecimal digits, as MongoDB's `_data`; texts sort as the places do. */
export function encodeToken({ key, log, kind }: ResumeToken): string {
  return Buffer.concat([Buffer.from([TIMESTAMP]), key, log ?? NO_LOG, Buffer.from([kind])])
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
  const isOurs = bytes.length === LENGTH && bytes[LOG_END]! <= SEEN;
  if (isOurs) {
    const log = bytes.subarray(KEY_END, LOG_END);
    return { key: bytes.subarray(1, KEY_END), kind: bytes[LOG_END]!, log: log.equals(NO_LOG) ? undefined : log };
  }
  const time = timeOf(bytes.subarray(1, TIME_LENGTH));
  return { key: keyOf(time, 0), kind: FOREIGN, log: undefined };
}

/** The place that is known to be there, and so cannot be missed: everything else must be met again on the way. */
export const isPlaceOnly = ({ kind }: ResumeToken): boolean => kind === SEEN;
