import { ObjectId } from 'mongodb';
import type { ReactionSnapshot } from '../../events/event-payloads.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import type { EventRecord } from '../../store/records/event.ts';

/** Restores the reaction of an event from its snapshot; the stored record may have been removed since. */
export function reactionRecord(
  { networkId }: EventRecord,
  { reaction, ...reference }: Pick<ReactionRecord, 'referenceType' | 'referenceId'> & { reaction: ReactionSnapshot },
): ReactionRecord {
  return {
    ...reaction,
    ...reference,
    _id: new ObjectId(reaction.reactionId),
    networkId,
    updatedAt: reaction.createdAt,
  };
}
