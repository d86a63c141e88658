import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { Reference } from './list-comments.ts';

/**
 * The number of a new comment among those of its reference: dense, rising, never given twice. Those who comment on one
 * thing at once meet at its counter.
 */
export async function nextSegment(
  context: Context,
  session: ClientSession,
  { referenceType, referenceId }: Reference,
): Promise<number> {
  const { commentCounters, comments } = context.store.collections;
  const { networkId } = viewerOf(context);
  const reference = { networkId, referenceType, referenceId };
  const now = context.now();
  const counted = await commentCounters.findOneAndUpdate(
    reference,
    { $inc: { lastSegment: 1 }, $set: { updatedAt: now }, $setOnInsert: { _id: new ObjectId(), createdAt: now } },
    { upsert: true, returnDocument: 'after', session },
  );
  if (counted!.lastSegment > 1) return counted!.lastSegment;
  // The first that is counted, though perhaps not the first: release 0.1.0 kept no counters.
  const [newest] = await comments.find(reference, { session }).sort({ segmentNumber: -1 }).limit(1).toArray();
  if (!newest) return 1;
  const lastSegment = newest.segmentNumber + 1;
  await commentCounters.updateOne(reference, { $set: { lastSegment } }, { session });
  return lastSegment;
}
