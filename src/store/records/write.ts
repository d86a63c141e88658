import type { BaseRecord, Json } from './base.ts';

/** What a write answered whose client named it by a key, so that the same write sent again is not made again. */
export interface KeyedWriteRecord extends BaseRecord {
  userId: string;
  /** The client's own, in the words of `Idempotency-Key` or `clientMutationId`. */
  key: string;
  /** Of the operation and its input, so that a key is not taken for another write. */
  fingerprint: string;
  /** What the operation returned, as it was then. */
  answer: Json;
  /** A TTL index removes the record afterwards. */
  expiresAt: Date;
}
