import type { BaseRecord } from './base.ts';

/** One committed change as the doors tell of it; never changed, removed some days later. */
export interface EventRecord extends BaseRecord {
  /** 24 hex digits that rise with time. */
  eventId: string;
  /** A name of the catalogue, `src/events/catalogue.ts`. */
  type: string;
  /** Topic: the path of the record that changed. */
  path: string;
  /** What it is about: ids, and copies of what cannot be read later. Its shape follows from the type. */
  data: { readonly [name: string]: unknown };
  /** Public id of the user who caused it; null for what time or a service caused. */
  actorId: string | null;
  /** The gateway process that wrote it. */
  senderId: string;
  /** A TTL index removes it then. */
  expiresAt: Date;
}
