import type { Viewer } from '../context.ts';
import type { CommunityUserRecord } from '../store/records/community.ts';
import type { StoryRecord } from '../store/records/content.ts';
import { isBannedFrom, mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/** Where a story was published; null for one on a user's own profile. The caller made sure the place may be seen. */
export interface StoryPlace {
  membership: CommunityUserRecord | null;
}

/** Whether the viewer manages stories there: sees deleted and expired ones. */
export function canManageStories(viewer: Viewer, place: StoryPlace | null): boolean {
  return place
    ? mayInCommunity(viewer, place.membership, 'MANAGE_COMMUNITY_STORY')
    : mayInNetwork(viewer, 'MANAGE_COMMUNITY_STORY');
}

/** Live stories by whoever sees the place, expired ones by their creator, deleted ones by managers alone. */
export function canSeeStory(viewer: Viewer, story: StoryRecord, place: StoryPlace | null, now: Date): boolean {
  if (canManageStories(viewer, place)) return true;
  if (story.isDeleted) return false;
  return story.expiresAt > now || story.userId === viewer.userId;
}

/**
 * Why the viewer may not show a story there; null when they may. In a community those do that manage its stories, on a
 * profile its user alone.
 */
export function refusalToStory(
  viewer: Viewer,
  { place, targetId }: { place: StoryPlace | null; targetId: string },
): 'BANNED' | 'PERMISSION_DENIED' | null {
  if (!place) return targetId === viewer.userId ? null : 'PERMISSION_DENIED';
  if (canManageStories(viewer, place)) return null;
  return isBannedFrom(place.membership) ? 'BANNED' : 'PERMISSION_DENIED';
}

/** Creators delete their stories, and whoever manages stories there. */
export function canDeleteStory(viewer: Viewer, story: StoryRecord, place: StoryPlace | null): boolean {
  return story.userId === viewer.userId || canManageStories(viewer, place);
}

/** Who saw a story is for its creator, and for those who manage stories there. */
export function canSeeStoryViewers(viewer: Viewer, story: StoryRecord, place: StoryPlace | null): boolean {
  return story.userId === viewer.userId || canManageStories(viewer, place);
}
