import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { ViewRecord } from '../../store/records/content.ts';

/**
 * Records that the viewer saw posts or stories, once each, in the transaction that counts the views.
 * @returns ids that the viewer had not seen before
 */
export async function insertViews(
  context: Context,
  session: ClientSession,
  { referenceType, ids }: Pick<ViewRecord, 'referenceType'> & { ids: readonly string[] },
): Promise<Set<string>> {
  const { networkId, userId } = viewerOf(context);
  const now = context.now();
  const { upsertedIds } = await context.store.collections.views.bulkWrite(
    ids.map((referenceId) => {
      const filter = { networkId, referenceType, referenceId, userId };
      const $setOnInsert = { _id: new ObjectId(), createdAt: now, updatedAt: now };
      return { updateOne: { filter, update: { $setOnInsert }, upsert: true } };
    }),
    { session },
  );
  return new Set(ids.filter((_, index) => index in upsertedIds));
}
