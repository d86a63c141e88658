import type { HasPassed, Viewer } from '../context.ts';
import type { CommunityUserRecord } from '../store/records/community.ts';
import type { StoryRecord } from '../store/records/content.ts';
import { isBannedFrom, mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/** The community of a story; null on a profile. The caller has checked that the viewer sees it. */
export interface StoryPlace {
  membership: CommunityUserRecord | null;
}

/** Whether the viewer manages stories there: sees deleted and expired ones. */
export function canManageStories(viewer: Viewer, place: StoryPlace | null): boolean {
  return place
    ? mayInCommunity(viewer, place.membership, 'MANAGE_COMMUNITY_STORY')
    : mayInNetwork(viewer, 'MANAGE_COMMUNITY_STORY');
}

/**
 * Live stories are visible to users who see the target, expired ones to their creator, deleted ones to managers of
 * stories.
 */
export function canSeeStory(
  viewer: Viewer,
  story: StoryRecord,
  place: StoryPlace | null,
  hasPassed: HasPassed,
): boolean {
  if (canManageStories(viewer, place)) return true;
  if (story.isDeleted) return false;
  return !hasPassed(story.expiresAt) || story.userId === viewer.userId;
}

/**
 * Why the viewer may not publish a story there; null when they may. In a community, managers of stories publish; on a
 * profile, only its user does.
 */
export function refusalToStory(
  viewer: Viewer,
  { place, targetId }: { place: StoryPlace | null; targetId: string },
): 'BANNED' | 'PERMISSION_DENIED' | null {
  if (!place) return targetId === viewer.userId ? null : 'PERMISSION_DENIED';
  if (canManageStories(viewer, place)) return null;
  return isBannedFrom(place.membership) ? 'BANNED' : 'PERMISSION_DENIED';
}

/** Stories are deleted by their creator and by managers of stories. */
export function canDeleteStory(viewer: Viewer, story: StoryRecord, place: StoryPlace | null): boolean {
  return story.userId === viewer.userId || canManageStories(viewer, place);
}

/** The users who saw a story are visible to its creator and to managers of stories. */
export function canSeeStoryViewers(viewer: Viewer, story: StoryRecord, place: StoryPlace | null): boolean {
  return story.userId === viewer.userId || canManageStories(viewer, place);
}
