import { type ClientSession, ObjectId } from 'mongodb';
import type { EventRecord } from '../store/records/event.ts';
import type { Store } from '../store/store.ts';

interface EventRange {
  networkId: string;
  /** Event ids between these two, both exclusive. */
  after: string;
  before: string;
  limit: number;
}

/** Events of one network that the log still holds, oldest first. */
export function findEvents(
  { collections }: Pick<Store, 'collections'>,
  session: ClientSession,
  { networkId, after, before, limit }: EventRange,
): Promise<EventRecord[]> {
  return collections.events
    .find({ networkId, _id: { $gt: new ObjectId(after), $lt: new ObjectId(before) } }, { session })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}
