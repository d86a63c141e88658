import type { BaseRecord } from './base.ts';

export type SearchKind = 'post' | 'community' | 'user' | 'channel' | 'message';

/**
 * The searchable words of one record, and the parts of its name. `_id` and `createdAt` equal those of the record, so that
 * lists of entries have the order of the records. A record without words and name has no entry.
 */
export interface SearchEntryRecord extends BaseRecord {
  kind: SearchKind;
  /** Public id of the record. */
  recordId: string;
  /** Where the record is: the target of a post, the channel of a message, the public or other channels; absent on communities and users. */
  scopeId?: string;
  /** By which lists and searches of the whole network find it, see `src/store/search/tokens.ts`; absent on messages and channels. */
  tokens?: string[];
  /** By which those of its scope find it: without prefixes, which are ranges of words there. Absent without a scope. */
  scopeTokens?: string[];
}
