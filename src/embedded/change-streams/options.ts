import { type Document, Timestamp } from 'bson';
import { badValue, CommandError, isDocument, isTruthy, notSupported, typeMismatch, typeOf } from '../lib/index.ts';
import { endBefore, endOf } from '../storage/index.ts';
import { INVALIDATION, isPositionOnly, parseToken, type ResumeToken, SEEN } from './token.ts';

const FULL_DOCUMENT = ['default', 'updateLookup', 'whenAvailable', 'required'] as const;
const BEFORE_CHANGE = ['off', 'whenAvailable', 'required'] as const;

export interface StreamOptions {
  fullDocument: (typeof FULL_DOCUMENT)[number];
  fullDocumentBeforeChange: (typeof BEFORE_CHANGE)[number];
  /** The position after which the stream begins; undefined for the current time. */
  start: ResumeToken | undefined;
  /** Whether the event at that position must be found in the stream, as proof that the token belongs to it. */
  mustContainStart: boolean;
  isClusterWide: boolean;
}

const KNOWN = new Set([
  'fullDocument',
  'fullDocumentBeforeChange',
  'resumeAfter',
  'startAfter',
  'startAtOperationTime',
  'allChangesForCluster',
  'showExpandedEvents',
]);

/** Parses the argument of `$changeStream`, with MongoDB's errors. */
export function parseOptions(argument: unknown): StreamOptions {
  if (!isDocument(argument)) throw new CommandError(6188500, '$changeStream must take a nested object');
  for (const name of Object.keys(argument)) {
    if (!KNOWN.has(name)) throw new CommandError(40415, `BSON field '$changeStream.${name}' is an unknown field.`);
  }
  if (isTruthy(argument.showExpandedEvents)) throw notSupported('$changeStream.showExpandedEvents');
  const start = startOf(argument);
  return {
    fullDocument: choice(argument, 'fullDocument', FULL_DOCUMENT),
    fullDocumentBeforeChange: choice(argument, 'fullDocumentBeforeChange', BEFORE_CHANGE),
    start,
    mustContainStart: start !== undefined && !isPositionOnly(start),
    isClusterWide: isTruthy(argument.allChangesForCluster),
  };
}

function choice<Value extends string>(argument: Document, name: string, values: readonly [Value, ...Value[]]): Value {
  const given: unknown = argument[name];
  if (given === undefined) return values[0];
  if (typeof given !== 'string') throw wrongType(name, given, 'string');
  const value = values.find((known) => known === given);
  if (!value) throw badValue(`Enumeration value '${given}' for field '$changeStream.${name}' is not a valid value.`);
  return value;
}

const wrongType = (name: string, value: unknown, expected: string): CommandError =>
  typeMismatch(`BSON field '$changeStream.${name}' is the wrong type '${typeOf(value)}', expected type '${expected}'`);

function startOf({ resumeAfter, startAfter, startAtOperationTime: time }: Document): ResumeToken | undefined {
  const resumed = resumeAfter === undefined ? undefined : parseToken('resumeAfter', resumeAfter);
  const started = startAfter === undefined ? undefined : parseToken('startAfter', startAfter);
  if (time !== undefined && !(time instanceof Timestamp)) throw wrongType('startAtOperationTime', time, 'timestamp');
  if (resumed && started) {
    throw new CommandError(50865, "'resumeAfter' and 'startAfter' cannot both be given in a $changeStream stage");
  }
  const token = resumed ?? started;
  if (token && time) throw new CommandError(40674, 'Only one resume position can be given');
  if (resumed?.kind === INVALIDATION) {
    throw new CommandError(260, "A change stream cannot be resumed with 'resumeAfter' from an invalidate event");
  }
  if (!time) return token;
  const before = time.isZero()
    ? endOf({ seconds: 0, increment: 0 })
    : endBefore({ seconds: time.t, increment: time.i });
  return { key: before, kind: SEEN, log: undefined };
}
