import type { BaseRecord } from './base.ts';

/** The permission to download the data of a person once. The download removes it. */
export interface UserExportRecord extends BaseRecord {
  /** SHA-256 of the token in the download URL, hex: the token itself is never stored. */
  tokenHash: string;
  /** The person whose data it is. */
  userId: string;
  /** The session that requested it: the URL is refused once the session has ended. */
  sessionId: string;
  /** When the TTL index removes the record. */
  expiresAt: Date;
}
