import { canSeeStory, type StoryPlace } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';

/** Where a story that the viewer sees was published; null for a profile. */
export async function placeOfStory(
  context: Context,
  { targetType, targetId }: StoryRecord,
): Promise<StoryPlace | null> {
  return targetType === 'community' ? findInsideCommunity(context, targetId) : null;
}

/** One story by whoever sees its target; expired ones by their creator, deleted ones by managers of stories. */
export async function getStory(context: Context, { storyId }: { storyId: string }): Promise<StoryRecord | null> {
  const viewer = viewerOf(context);
  const story = await context.load.stories.load(storyId);
  if (!story) return null;
  const place = await placeOfStory(context, story);
  if (story.targetType === 'community' && !place) return null;
  return canSeeStory(viewer, story, place, context.now()) ? story : null;
}
