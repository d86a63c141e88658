import { mayInCommunity } from '../../access/community.ts';
import { mayInNetwork } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';

/** One story by whoever sees its target; expired ones by their creator, deleted ones by moderators of stories. */
export async function getStory(context: Context, { storyId }: { storyId: string }): Promise<StoryRecord | null> {
  const viewer = viewerOf(context);
  const story = await context.load.stories.load(storyId);
  if (!story) return null;
  const place = story.targetType === 'community' ? await findInsideCommunity(context, story.targetId) : null;
  if (story.targetType === 'community' && !place) return null;
  const moderates = place ? mayInCommunity(viewer, place.membership, 'MANAGE_COMMUNITY_STORY') : mayInNetwork(viewer, 'MANAGE_COMMUNITY_STORY');
  if (moderates) return story;
  if (story.isDeleted) return null;
  return story.expiresAt > context.now() || story.userId === viewer.userId ? story : null;
}
