import { ObjectId } from 'mongodb';
import type { ReactionCopy } from '../../events/kinds.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import type { EventRecord } from '../../store/records/event.ts';

/** A reaction as it was when the event happened: it may have been taken back since. */
export function reactionRecord(
  { networkId }: EventRecord,
  { reaction, ...reference }: Pick<ReactionRecord, 'referenceType' | 'referenceId'> & { reaction: ReactionCopy },
): ReactionRecord {
  return {
    ...reaction,
    ...reference,
    _id: new ObjectId(reaction.reactionId),
    networkId,
    updatedAt: reaction.createdAt,
  };
}
