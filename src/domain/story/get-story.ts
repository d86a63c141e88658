import { canSeeStory } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';

/** One story by whoever sees its target; expired ones by their creator, deleted ones by managers of stories. */
export async function getStory(context: Context, { storyId }: { storyId: string }): Promise<StoryRecord | null> {
  const viewer = viewerOf(context);
  const story = await context.load.stories.load(storyId);
  if (!story) return null;
  const place = story.targetType === 'community' ? await findInsideCommunity(context, story.targetId) : null;
  if (story.targetType === 'community' && !place) return null;
  return canSeeStory(viewer, story, place, context.now()) ? story : null;
}
