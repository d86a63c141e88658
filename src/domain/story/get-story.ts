import type { ClientSession } from 'mongodb';
import { canManageStories, canSeeStory } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { type CommunityPlace, findInsideCommunity } from '../community/get-community.ts';
import { requireCommunityRight } from '../community/members/require-community-right.ts';
import { seesFeedOfUser } from '../user/follows/feed-privacy.ts';

/** The community of a story with the viewer's membership; null for a story on a profile. */
export async function placeOfStory(
  context: Context,
  { targetType, targetId }: StoryRecord,
): Promise<CommunityPlace | null> {
  return targetType === 'community' ? findInsideCommunity(context, targetId) : null;
}

/** Checks the right to manage stories in a transaction. @throws {OperationError} BANNED, PERMISSION_DENIED */
export async function requireStoryRight(
  context: Context,
  session: ClientSession,
  place: CommunityPlace | null,
): Promise<void> {
  const where = place ?? { community: null, membership: null };
  await requireCommunityRight(context, session, where, (viewer, membership) =>
    canManageStories(viewer, place && { membership }),
  );
}

/**
 * A story, or null when the viewer does not see it: expired stories are visible to their creator, deleted ones to
 * managers of stories.
 */
export async function getStory(context: Context, { storyId }: { storyId: string }): Promise<StoryRecord | null> {
  const viewer = viewerOf(context);
  const story = await context.load.stories.load(storyId);
  if (!story) return null;
  const place = await placeOfStory(context, story);
  if (story.targetType === 'community' ? !place : !(await seesFeedOfUser(context, story.targetId))) return null;
  return canSeeStory(viewer, story, place, context.hasPassed) ? story : null;
}
