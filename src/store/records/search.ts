import type { BaseRecord } from './base.ts';

export type SearchKind = 'post' | 'community' | 'user' | 'message';

/**
 * The searchable words of one record. `_id` and `createdAt` equal those of the record, so that lists of entries have the
 * order of the records. A record without words has no entry.
 */
export interface SearchEntryRecord extends BaseRecord {
  kind: SearchKind;
  /** Public id of the record. */
  recordId: string;
  /** Where the record is: the target of a post, the channel of a message; absent on communities and users. */
  scopeId?: string;
  /** Whether searches without a scope find it. False for messages. */
  isNetworkWide: boolean;
  /** See `src/store/search/tokens.ts`. */
  tokens: string[];
}
