import type { BaseRecord, Json } from './base.ts';

/**
 * The result of a write with an idempotency key, so that the same write is not executed twice. Stored in the collection
 * `keyedWrites`, whose name existing databases contain.
 */
export interface IdempotencyRecord extends BaseRecord {
  userId: string;
  /** The client's `Idempotency-Key` or `clientMutationId`. */
  key: string;
  /** Hash of the operation and its input, which detects a key reused for another write. */
  fingerprint: string;
  /** The stored result of the operation. */
  answer: Json;
  /** When the TTL index removes the record. */
  expiresAt: Date;
}
