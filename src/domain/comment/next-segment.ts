import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { Reference } from './list-comments.ts';

/**
 * The next segment number of a reference: without gaps, increasing, never reused. Concurrent comments conflict on its
 * counter.
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
  // The first counted comment may not be the first one: release 0.1.0 kept no counters.
  const [newest] = await comments.find(reference, { session }).sort({ segmentNumber: -1 }).limit(1).toArray();
  if (!newest) return 1;
  const lastSegment = newest.segmentNumber + 1;
  await commentCounters.updateOne(reference, { $set: { lastSegment } }, { session });
  return lastSegment;
}
