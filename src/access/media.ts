import type { Viewer } from '../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../store/records/community.ts';
import type { RoomRecord } from '../store/records/media.ts';
import { isMember, mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/**
 * Whether the viewer speaks for the media service: says where a stream is sent to and watched, what was recorded, what
 * automatic moderation saw. Network moderators do, and whoever sends the network's server key beside their token.
 */
export function isMediaService(viewer: Viewer, holdsServerKey: boolean): boolean {
  return holdsServerKey || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}

/** Members open rooms in a community; where only moderators post, those who may. */
export function canOpenRoomIn(
  viewer: Viewer,
  { community, membership }: { community: CommunityRecord; membership: CommunityUserRecord | null },
): boolean {
  if (mayInCommunity(viewer, membership, 'EDIT_COMMUNITY_POST')) return true;
  return isMember(membership) && !community.onlyAdminCanPost;
}

/** Who takes part in a room sees it also before a post shows it. */
export function takesPartInRoom(viewer: Viewer, room: RoomRecord): boolean {
  return !room.isDeleted && room.participants.some(({ userId }) => userId === viewer.userId);
}
