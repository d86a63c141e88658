import type { Viewer } from '../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../store/records/community.ts';
import { mayInNetwork } from './network.ts';
import type { Permission } from './permissions.ts';

type Membership = CommunityUserRecord | null;

export function isMember(membership: Membership): boolean {
  return membership?.communityMembership === 'member';
}

export function isBannedFrom(membership: Membership): boolean {
  return membership?.communityMembership === 'banned';
}

/** Whether the viewer holds a permission in this community, by a role there or in the network. A ban takes the first away. */
export function mayInCommunity(viewer: Viewer, membership: Membership, permission: Permission): boolean {
  if (mayInNetwork(viewer, permission)) return true;
  return isMember(membership) && membership!.permissions.includes(permission);
}

/**
 * Whether the community's record may be seen: public ones by everybody, private ones by members; deleted ones by
 * whoever may delete communities network-wide.
 */
export function canSeeCommunity(viewer: Viewer, community: CommunityRecord, membership: Membership): boolean {
  if (mayInNetwork(viewer, 'EDIT_COMMUNITY')) return !community.isDeleted || mayInNetwork(viewer, 'DELETE_COMMUNITY');
  if (community.isDeleted) return false;
  return community.isPublic || isMember(membership);
}

/** Whether what is inside (posts, members, stories) may be seen: as the record itself, but not by the banned. */
export function canSeeInsideCommunity(viewer: Viewer, community: CommunityRecord, membership: Membership): boolean {
  return (
    canSeeCommunity(viewer, community, membership) &&
    (!isBannedFrom(membership) || mayInNetwork(viewer, 'EDIT_COMMUNITY'))
  );
}
