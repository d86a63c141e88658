import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { getStory } from './get-story.ts';

interface StoryViews {
  seen: readonly StoryRecord[];
  firstSeen: ReadonlySet<string>;
}

/** Live, unexpired stories that the viewer sees. */
export async function viewableStories(context: Context, storyIds: readonly string[]): Promise<StoryRecord[]> {
  const stories = await Promise.all(storyIds.map((storyId) => getStory(context, { storyId })));
  const now = context.now();
  return stories.filter((story) => story !== null).filter((story) => !story.isDeleted && story.expiresAt > now);
}

/**
 * Counts that the viewer saw stories: one impression each, and one reach for the first time. Drops expired stories from
 * the record of what the viewer saw.
 * @param views.firstSeen ids of the stories for which a view of the viewer was recorded for the first time
 */
export async function countStoryViews(
  context: Context,
  session: ClientSession,
  { seen, firstSeen }: StoryViews,
): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { stories, storySeens } = context.store.collections;
  const targets = byTarget(seen);
  const keyOf = ({ targetType, targetId }: StoryRecord) => ({ networkId, userId, targetType, targetId });
  const theirs = { networkId, userId, targetType: { $in: ['community', 'user'] as StoryRecord['targetType'][] } };
  const known = await storySeens
    .find({ ...theirs, targetId: { $in: seen.map(({ targetId }) => targetId) } }, { session })
    .toArray();
  const knownIds = known.flatMap(({ storyIds }) => storyIds);
  const alive = await liveIds(context, session, knownIds);
  const now = context.now();
  await storySeens.bulkWrite(
    targets.map((ofTarget) => {
      const filter = keyOf(ofTarget[0]!);
      const before = known.find((one) => one.targetType === filter.targetType && one.targetId === filter.targetId);
      const kept = (before?.storyIds ?? []).filter((storyId) => alive.has(storyId));
      const storyIds = [...new Set([...kept, ...ofTarget.map(({ storyId }) => storyId)])];
      const last = new Date(Math.max(...ofTarget.map(({ expiresAt }) => expiresAt.getTime())));
      const update = {
        $set: { storyIds, updatedAt: now },
        $max: { lastStorySeenExpiresAt: last },
        $setOnInsert: { _id: new ObjectId(), createdAt: now },
      };
      return { updateOne: { filter, update, upsert: true } };
    }),
    { session },
  );
  const ids = seen.map(({ storyId }) => storyId);
  // Earlier releases recorded views only per target.
  const seenBefore = new Set(knownIds);
  const isNew = (storyId: string) => firstSeen.has(storyId) && !seenBefore.has(storyId);
  const first = ids.filter(isNew);
  const again = ids.filter((storyId) => !isNew(storyId));
  const those = (storyId: string[]) => ({ networkId, storyId: { $in: storyId } });
  if (first.length > 0) await stories.updateMany(those(first), { $inc: { impression: 1, reach: 1 } }, { session });
  if (again.length > 0) await stories.updateMany(those(again), { $inc: { impression: 1 } }, { session });
  for (const story of seen) invalidateStoryView(context, story);
}

/** Clears a story and what the viewer has seen of its target from the loaders of the request. */
export function invalidateStoryView(
  context: Context,
  { storyId, targetId }: Pick<StoryRecord, 'storyId' | 'targetId'>,
): void {
  context.load.stories.clear(storyId);
  context.load.storySeens.clear([viewerOf(context).userId, targetId]);
}

/** The story as the transaction sees it. */
export async function readStory(
  context: Context,
  session: ClientSession,
  { networkId, storyId }: Pick<StoryRecord, 'networkId' | 'storyId'>,
): Promise<StoryRecord> {
  return (await context.store.collections.stories.findOne({ networkId, storyId }, { session }))!;
}

function byTarget(stories: readonly StoryRecord[]): StoryRecord[][] {
  const groups = new Map<string, StoryRecord[]>();
  for (const story of stories) {
    const name = `${story.targetType} ${story.targetId}`;
    groups.set(name, [...(groups.get(name) ?? []), story]);
  }
  return [...groups.values()];
}

async function liveIds(context: Context, session: ClientSession, storyIds: readonly string[]): Promise<Set<string>> {
  if (storyIds.length === 0) return new Set();
  const { networkId } = viewerOf(context);
  const found = await context.store.collections.stories
    .find(
      { networkId, storyId: { $in: storyIds }, expiresAt: { $gt: context.now() } },
      { session, projection: { storyId: 1 } },
    )
    .toArray();
  return new Set(found.map(({ storyId }) => storyId));
}
