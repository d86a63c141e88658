import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { ids, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { countPostViews, viewablePosts } from '../post/engagement/count-views.ts';
import { countStoryViews, invalidateStoryView, readStory, viewableStories } from '../story/count-views.ts';
import { storyIdInput } from '../story/story-input.ts';
import { insertViews } from './insert-views.ts';

export const recordViewsInput = z.object({
  postIds: ids({ max: 100 }).nullish().describe('Public ids of the posts that the viewer saw.'),
  storyIds: ids({ max: 100 }).nullish().describe('Public ids of the stories that the viewer saw.'),
});

export interface Viewed {
  /** Ids of the counted posts. */
  postIds: string[];
  storyIds: string[];
}

/**
 * Counts views of posts and stories: an impression each, and reach once per user. Marks the stories as seen. Ignores
 * posts and stories that the viewer does not see.
 * @throws {OperationError} INVALID_PARAMETERS for more than 100 post ids or story ids
 */
export async function recordViews(context: Context, input: z.input<typeof recordViewsInput>): Promise<Viewed> {
  const given = validate(recordViewsInput, input);
  const [postIds, stories] = await Promise.all([
    viewablePosts(context, given.postIds ?? []),
    viewableStories(context, given.storyIds ?? []),
  ]);
  await count(context, { postIds, stories });
  return { postIds, storyIds: stories.map(({ storyId }) => storyId) };
}

/**
 * Records that the viewer saw a story.
 * @throws {OperationError} NOT_FOUND, also for an expired story
 */
export async function markStorySeen(context: Context, input: { storyId: string }): Promise<StoryRecord> {
  const { storyId } = validate(storyIdInput, input);
  const [story] = await viewableStories(context, [storyId]);
  if (!story) throw notFound('Story');
  const seen = await context.transaction(
    async (session) => {
      await viewStories(context, session, [story]);
      return readStory(context, session, story);
    },
    lockFor(context, 'story', storyId),
  );
  invalidateStoryView(context, story);
  return seen;
}

async function count(
  context: Context,
  { postIds, stories }: { postIds: string[]; stories: StoryRecord[] },
): Promise<void> {
  if (postIds.length + stories.length === 0) return;
  await context.transaction(
    async (session) => {
      if (postIds.length > 0) await viewPosts(context, session, postIds);
      if (stories.length > 0) await viewStories(context, session, stories);
    },
    viewsLock(context, [
      ...postIds.map((id) => ['post', id] as const),
      ...stories.map(({ storyId }) => ['story', storyId] as const),
    ]),
  );
  // Cleared in the transaction too, but another resolver may have loaded the old counts before the commit.
  for (const postId of postIds) context.load.posts.clear(postId);
  for (const story of stories) invalidateStoryView(context, story);
}

async function viewPosts(context: Context, session: ClientSession, seen: readonly string[]): Promise<void> {
  const firstSeen = await insertViews(context, session, { referenceType: 'post', ids: seen });
  await countPostViews(context, session, { seen, firstSeen });
}

async function viewStories(context: Context, session: ClientSession, seen: readonly StoryRecord[]): Promise<void> {
  const ids = seen.map(({ storyId }) => storyId);
  const firstSeen = await insertViews(context, session, { referenceType: 'story', ids });
  await countStoryViews(context, session, { seen, firstSeen });
}

/** A lock per post or story for a single view; views of several records share one lock, since they may overlap. */
function viewsLock(context: Context, seen: ReadonlyArray<readonly ['post' | 'story', string]>): TransactionOptions {
  const [first] = seen;
  return seen.length === 1 && first ? lockFor(context, ...first) : lockFor(context, 'record', 'views');
}
