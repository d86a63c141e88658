import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { checked, id, ids } from '../input.ts';
import { countPostViews, viewablePosts } from '../post/count-views.ts';
import { countStoryViews, viewableStories } from '../story/count-views.ts';
import { turnAt } from '../turn.ts';

const recordViewsInput = z.object({ postIds: ids({ max: 100 }).nullish(), storyIds: ids({ max: 100 }).nullish() });

export interface Viewed {
  /** Ids of the posts that were counted. */
  postIds: string[];
  storyIds: string[];
}

/**
 * Counts what the viewer saw: an impression each, reach once a user; stories count as seen from then on. What they
 * cannot see is left out.
 * @throws {OperationError} INVALID_PARAMETERS for more than 100 ids of a kind
 */
export async function recordViews(context: Context, input: z.input<typeof recordViewsInput>): Promise<Viewed> {
  const given = checked(recordViewsInput, input);
  const [postIds, stories] = await Promise.all([
    viewablePosts(context, given.postIds ?? []),
    viewableStories(context, given.storyIds ?? []),
  ]);
  await count(context, { postIds, stories });
  return { postIds, storyIds: stories.map(({ storyId }) => storyId) };
}

/**
 * Notes that the viewer saw a story.
 * @throws {OperationError} NOT_FOUND, also for a story that has expired
 */
export async function markStorySeen(context: Context, input: { storyId: string }): Promise<StoryRecord> {
  const { storyId } = checked(z.object({ storyId: id() }), input);
  const [story] = await viewableStories(context, [storyId]);
  if (!story) throw notFound('Story');
  await count(context, { postIds: [], stories: [story] });
  return (await context.load.stories.load(storyId)) ?? story;
}

async function count(
  context: Context,
  { postIds, stories }: { postIds: string[]; stories: StoryRecord[] },
): Promise<void> {
  if (postIds.length + stories.length === 0) return;
  await context.transaction(
    async (session) => {
      await countPostViews(context, session, postIds);
      await countStoryViews(context, session, stories);
    },
    // Everybody looks at the same posts and stories.
    turnAt(context, 'record', 'views'),
  );
  // Once more: what was cleared inside may have been read again before the commit.
  for (const postId of postIds) context.load.posts.clear(postId);
  for (const { storyId } of stories) context.load.stories.clear(storyId);
}
