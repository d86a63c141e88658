import type { Viewer } from '../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../store/records/community.ts';
import type { RoomRecord } from '../store/records/media.ts';
import { isMember, mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/**
 * Whether the viewer acts as the media service, which reports stream URLs, recordings and automatic moderation:
 * moderators of the network, and holders of the server key.
 */
export function isMediaService(viewer: Viewer, holdsServerKey: boolean): boolean {
  return holdsServerKey || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}

/** Members open rooms in a community. Where only moderators post, only moderators open rooms. */
export function canOpenRoomIn(
  viewer: Viewer,
  { community, membership }: { community: CommunityRecord; membership: CommunityUserRecord | null },
): boolean {
  if (mayInCommunity(viewer, membership, 'EDIT_COMMUNITY_POST')) return true;
  return isMember(membership) && !community.onlyAdminCanPost;
}

/** Participants see a room before a post contains it. */
export function takesPartInRoom(viewer: Viewer, room: RoomRecord): boolean {
  return !room.isDeleted && room.participants.some(({ userId }) => userId === viewer.userId);
}
