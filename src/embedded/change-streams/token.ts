import { CommandError, describe, failedToParse, isDocument, typeOf } from '../lib/index.ts';
import { keyOf, LOG_ID_LENGTH, timeOf } from '../storage/index.ts';

/**
 * A position in the log: a change, the `invalidate` event that follows it, or a position up to which everything was
 * read. Positions are ordered by key, then by kind.
 */
export interface ResumeToken {
  key: Buffer;
  kind: number;
  /** The id of the log that contains the position; undefined for a time, which is valid in every log. */
  log: Buffer | undefined;
}

export const EVENT = 0;
export const INVALIDATION = 1;
export const SEEN = 2;
/** The kind of a token from a MongoDB server: it has a time, but matches no change of this log. */
const FOREIGN = -1;

/** The type byte of a time. A token begins with its time (type, seconds, increment), which drivers and tools read. */
const TIMESTAMP = 0x82;
const KEY_END = 1 + 12;
const LOG_END = KEY_END + LOG_ID_LENGTH;
const LENGTH = LOG_END + 1;
/** Stands for the log in the token of a time, which is valid in every log. */
const NO_LOG = Buffer.alloc(LOG_ID_LENGTH);
const TIME_LENGTH = 1 + 8;

/** Encodes a position as upper-case hexadecimal digits, like MongoDB's `_data`; the texts sort like the positions. */
export function encodeToken({ key, log, kind }: ResumeToken): string {
  return Buffer.concat([Buffer.from([TIMESTAMP]), key, log ?? NO_LOG, Buffer.from([kind])])
    .toString('hex')
    .toUpperCase();
}

export const isAfter = (a: ResumeToken, b: ResumeToken): boolean =>
  (Buffer.compare(a.key, b.key) || a.kind - b.kind) > 0;

/** @throws CommandError 14, 40647, 40649, 9 or 50811 for an invalid token, as MongoDB does */
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

/** Whether a token names no event, only a position up to which everything was read. */
export const isPositionOnly = ({ kind }: ResumeToken): boolean => kind === SEEN;
