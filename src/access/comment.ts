import type { Viewer } from '../context.ts';
import type { CommunityUserRecord } from '../store/records/community.ts';
import { mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/** Whether the viewer moderates comments there: may filter flagged ones and read deleted ones. */
export function canModerateComments(
  viewer: Viewer,
  place: { community: object | null; membership: CommunityUserRecord | null },
): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'EDIT_COMMUNITY_COMMENT');
  return mayInNetwork(viewer, 'EDIT_USER_FEED_COMMENT');
}
