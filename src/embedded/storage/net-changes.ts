import type { Collection } from './catalog.ts';
import { type PreparedChange, prepare } from './changes.ts';
import type { UncommittedRecord } from './view.ts';

/** A record that a transaction has written. */
interface PendingRecord extends UncommittedRecord {
  /** The change, if it is the only one of its record and among the first of the transaction. */
  prepared?: PreparedChange;
}

/** The records that a transaction has written, by their ids. */
export type PendingRecords = Map<Collection, Map<number, PendingRecord>>;

/** Writes whose index keys are kept until the commit; those of others are generated again. */
const MAX_PREPARED = 1_000;

/**
 * Adds a write to the records of its transaction.
 * @param count how many writes the transaction has with this one
 */
export function addPending(pending: PendingRecords, prepared: PreparedChange, count: number): void {
  const { collection, recordId, after } = prepared;
  const records = pending.get(collection) ?? new Map<number, PendingRecord>();
  const earlier = records.get(recordId);
  const { before } = earlier ?? prepared;
  const isKept = !earlier && count <= MAX_PREPARED;
  records.set(recordId, { before, after, ...(isKept && { prepared }) });
  pending.set(collection, records);
}

/**
 * The change of each record from its first to its last write; none of a record that was created and deleted again.
 * @param prepareAgain also the changes that were prepared when they were written, because the indexes may have changed
 */
export function* netChanges(pending: PendingRecords, { prepareAgain = false } = {}): Generator<PreparedChange> {
  for (const [collection, records] of pending) {
    for (const [recordId, { before, after, prepared }] of records) {
      if (prepared && !prepareAgain) yield prepared;
      else if (before || after) yield prepare({ collection, recordId, before, after });
    }
  }
}
