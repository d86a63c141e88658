import { Binary, BSON, type Document, Long, Timestamp } from 'bson';
import { CommandError, isDocument, isNumber, typeOf } from '../lib/index.ts';

/** As in MongoDB, a client must not advance the cluster time by more than a year. */
const MAX_DRIFT_SECONDS = 31_536_000;
const HASH_LENGTH = 20;

/**
 * Validates the `$clusterTime` that a client copies from an earlier reply. The signature is not verified: replies
 * contain an empty one, as those of a MongoDB server without access control.
 *
 * @throws CommandError 10065, 4, 14, 12 or 205, as MongoDB does
 */
export function parseClusterTime(value: unknown): Timestamp | undefined {
  if (value === undefined) return undefined;
  if (!isDocument(value)) throw new CommandError(10065, 'invalid parameter: expected an object ($clusterTime)');
  const time: unknown = required(value, 'clusterTime');
  if (!(time instanceof Timestamp)) throw wrongType('clusterTime', 'timestamp', time);
  const signature = required(value, 'signature');
  if (!isDocument(signature)) throw wrongType('signature', 'object', signature);
  const hash = required(signature, 'hash');
  if (!(hash instanceof Binary)) throw wrongType('hash', 'binData', hash);
  if (hash.length() !== HASH_LENGTH) {
    throw new CommandError(12, `Unsupported SHA1Block hash length: ${hash.length()}`);
  }
  const keyId = required(signature, 'keyId');
  if (!isNumber(keyId)) throw wrongType('keyId', 'long', keyId);
  const now = Math.floor(Date.now() / 1000);
  if (time.t > now + MAX_DRIFT_SECONDS) {
    throw new CommandError(205, `New $clusterTime, ${time.t}, is too far from this node's wall clock time, ${now}.`);
  }
  return time;
}

function required(value: Document, name: string): unknown {
  if (value[name] === undefined) throw new CommandError(4, `Missing expected field "${name}"`);
  return value[name];
}

const wrongType = (name: string, expected: string, found: unknown): CommandError =>
  new CommandError(14, `"${name}" had the wrong type. Expected ${expected}, found ${typeOf(found)}`);

const SIGNATURE = { hash: new Binary(Buffer.alloc(HASH_LENGTH)), keyId: Long.ZERO };
const TEMPLATE = Buffer.from(
  BSON.serialize({
    $clusterTime: { clusterTime: new Timestamp(0n), signature: SIGNATURE },
    operationTime: new Timestamp(0n),
  }),
).subarray(4, -1);
/** The offset after type, name and size of `$clusterTime`, and type and name of `clusterTime`. */
const CLUSTER_TIME_AT = 1 + '$clusterTime\0'.length + 4 + 1 + 'clusterTime\0'.length;
const OPERATION_TIME_AT = TEMPLATE.length - 8;

/** Encodes the last elements of every reply: `$clusterTime` and `operationTime`. */
export function encodeTimes(clusterTime: Timestamp, operationTime: Timestamp): Buffer {
  const elements = Buffer.from(TEMPLATE);
  writeTime(elements, clusterTime, CLUSTER_TIME_AT);
  writeTime(elements, operationTime, OPERATION_TIME_AT);
  return elements;
}

function writeTime(target: Buffer, time: Timestamp, at: number): void {
  target.writeUInt32LE(time.i, at);
  target.writeUInt32LE(time.t, at + 4);
}
