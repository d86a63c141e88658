import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { ids, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { countPostViews, viewablePosts } from '../post/engagement/count-views.ts';
import { countStoryView, countStoryViews, viewableStories } from '../story/count-views.ts';
import { storyIdInput } from '../story/story-input.ts';

export const recordViewsInput = z.object({
  postIds: ids({ max: 100 }).nullish().describe('Public ids of the posts that the viewer saw.'),
  storyIds: ids({ max: 100 }).nullish().describe('Public ids of the stories that the viewer saw.'),
});

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
  const given = validate(recordViewsInput, input);
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
  const { storyId } = validate(storyIdInput, input);
  const [story] = await viewableStories(context, [storyId]);
  if (!story) throw notFound('Story');
  const seen = await context.transaction(
    (session) => countStoryView(context, session, story),
    lockFor(context, 'story', storyId),
  );
  context.load.stories.clear(storyId);
  context.load.storySeens.clear([viewerOf(context).userId, story.targetId]);
  return seen;
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
    viewsTurn(context, [
      ...postIds.map((id) => ['post', id] as const),
      ...stories.map(({ storyId }) => ['story', storyId] as const),
    ]),
  );
  // Once more: what was cleared inside may have been read again before the commit.
  for (const postId of postIds) context.load.posts.clear(postId);
  for (const { storyId } of stories) context.load.stories.clear(storyId);
}

/** Who looks at one thing meets those who look at it too; who looks at several may meet anybody. */
function viewsTurn(context: Context, seen: ReadonlyArray<readonly ['post' | 'story', string]>): TransactionOptions {
  const [first] = seen;
  return seen.length === 1 && first ? lockFor(context, ...first) : lockFor(context, 'record', 'views');
}
