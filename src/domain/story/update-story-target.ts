import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { StoryRecord } from '../../store/records/content.ts';

/** Updates a story target for a new story. */
export async function raiseStoryTarget(
  context: Context,
  session: ClientSession,
  { targetType, targetId, createdAt, expiresAt }: StoryRecord,
): Promise<void> {
  const { networkId } = viewerOf(context);
  await context.store.collections.storyTargets.updateOne(
    { networkId, targetType, targetId },
    {
      $max: { targetUpdatedAt: createdAt, lastStoryExpiresAt: expiresAt, updatedAt: createdAt },
      $setOnInsert: { _id: new ObjectId(), createdAt },
    },
    { upsert: true, session },
  );
}

/** Updates a story target for a deleted story, from the stories that remain. */
export async function lowerStoryTarget(
  context: Context,
  session: ClientSession,
  { networkId, targetType, targetId }: StoryRecord,
): Promise<void> {
  const { stories, storyTargets } = context.store.collections;
  const left = { networkId, targetType, targetId, isDeleted: false };
  const [last] = await stories.find(left, { session }).sort({ expiresAt: -1 }).limit(1).toArray();
  const [newest] = await stories.find(left, { session }).sort({ createdAt: -1, _id: -1 }).limit(1).toArray();
  const now = context.now();
  const $set = {
    lastStoryExpiresAt: last?.expiresAt ?? now,
    ...(newest && { targetUpdatedAt: newest.createdAt }),
    updatedAt: now,
  };
  await storyTargets.updateOne({ networkId, targetType, targetId }, { $set }, { session });
}
