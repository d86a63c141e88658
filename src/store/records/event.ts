import type { BaseRecord } from './base.ts';

/** One committed change as published to subscribers and webhooks; immutable, removed some days later. */
export interface EventRecord extends BaseRecord {
  /** The hex digits of `_id`, which increase with time. */
  eventId: string;
  /** The same for all events of one transaction. A sharded cluster stores them on one shard, and so delivers them in order. */
  commitId: string;
  /** A name from `src/events/catalogue.ts`. */
  type: string;
  /** Topic: the path of the record that changed. */
  path: string;
  /** Ids of the records concerned, and copies of data that cannot be read later. Its shape depends on `type`. */
  data: { readonly [name: string]: unknown };
  /** Public id of the user who caused it; null if a timer or a service did. */
  actorId: string | null;
  /** The gateway process that wrote it. */
  senderId: string;
  /** When the TTL index removes the record. */
  expiresAt: Date;
}
