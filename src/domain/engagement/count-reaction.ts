import type { ClientSession, Collection, Filter, UpdateFilter } from 'mongodb';
import { OperationError } from '../../errors.ts';
import type { BaseRecord, ReactionCounts } from '../../store/records/base.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { storedName } from './reaction-names.ts';

/** Maximum distinct reaction names per record. */
export const MAX_REACTION_NAMES = 200;

/** A reaction that is added (`by: 1`) or removed. */
export interface ReactionChange {
  reaction: ReactionRecord;
  by: 1 | -1;
}

interface Counted<Record extends BaseRecord> extends ReactionChange {
  session: ClientSession;
  /** The collection of the record; the resource that owns it makes this call. */
  collection: Collection<Record>;
  filter: Filter<Record>;
  /** The field that counts all reactions; messages have another name for it. */
  total: 'reactionsCount' | 'reactionCount';
  /** Other fields to set in the same update. */
  set?: Partial<Record>;
}

/**
 * Updates the counters of a record for one reaction.
 * @returns the updated record; null if it does not exist
 * @throws {OperationError} BAD_REQUEST for more than {@link MAX_REACTION_NAMES} names
 */
export async function countReaction<Record extends BaseRecord & { reactions: ReactionCounts }>({
  session,
  collection,
  filter,
  reaction,
  by,
  total,
  set,
}: Counted<Record>) {
  const name = storedName(reaction.reactionName);
  const moved = {
    $inc: { [total]: by, [`reactions.${name}`]: by },
    ...(set && { $set: set }),
  } as unknown as UpdateFilter<Record>;
  const record = await collection.findOneAndUpdate(filter, moved, { session, returnDocument: 'after' });
  if (!record) return null;
  if (by > 0 && Object.keys(record.reactions).length > MAX_REACTION_NAMES) {
    throw new OperationError('BAD_REQUEST', {
      message: `A record has at most ${MAX_REACTION_NAMES} distinct reaction names.`,
    });
  }
  if (by < 0 && !(Object.hasOwn(record.reactions, name) && record.reactions[name]! > 0)) {
    const gone = { $unset: { [`reactions.${name}`]: '' } } as unknown as UpdateFilter<Record>;
    await collection.updateOne(filter, gone, { session });
    delete record.reactions[name];
  }
  return record;
}
