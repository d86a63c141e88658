import type { ClientSession, Collection, Filter } from 'mongodb';
import type { NewEvent } from '../../events/append-events.ts';
import type { BaseRecord, HashFlag } from '../../store/records/base.ts';
import type { FlagRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';

export interface Flaggable extends BaseRecord {
  flagCount: number;
  hashFlag: HashFlag | null;
}

export type FlagReference = Pick<FlagRecord, 'referenceType' | 'referenceId'>;

/** A record that users flag, with everything that differs between posts, comments, stories, messages and users. */
export interface FlagTarget<Record extends Flaggable> extends FlagReference {
  /** The record as the viewer read it; the caller has checked that they see it. */
  record: Record;
  collection: Collection<Record>;
  /** Identifies the record by the fields of its collection's shard key. */
  filter: Filter<Record>;
  /** The user who wrote the record; the flagged user. */
  authorId: string;
  /** Where the record is; both null on users' feeds and for users. */
  communityId: string | null;
  channelId: string | null;
  /** Checks in a transaction that the viewer still sees the record. @default no check */
  requireStillVisible?(session: ClientSession): Promise<void>;
  /** Names the record in NOT_FOUND, such as `Post`. */
  label: string;
  lock: TransactionOptions;
  /** Whether clearing flags changes `updatedAt`. */
  isUpdatedByClearing?: boolean;
  event(change: 'flagged' | 'unflagged' | 'cleared', record: Record): NewEvent;
  /** Updates the ancestors that show whether they contain flagged records. Called for the first and the last flag. */
  markAncestors?(session: ClientSession, isFlagged: boolean): Promise<unknown>;
  /** Called in the transaction that counted a flag. @returns the record afterwards, and events to append */
  afterFlag?(session: ClientSession, flagged: Record): Promise<{ record: Record; events: NewEvent[] }>;
  /** Clears the record from the loaders of the request. */
  invalidate(): void;
}
