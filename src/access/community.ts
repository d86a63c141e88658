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

/** Who is not a member may ask for a community that is public or can be found; of any other they know nothing. */
export function canAskToJoin(community: CommunityRecord): boolean {
  return !community.isDeleted && (community.isPublic || community.isDiscoverable);
}

/** Whether asking makes a member at once; otherwise it makes a request that somebody answers. */
export function isOpenToJoin(community: CommunityRecord): boolean {
  return community.isPublic && !community.requiresJoinApproval;
}

/** As {@link isOpenToJoin}, for whoever asks the store at the moment of joining. */
export const OPEN_TO_JOIN = { isPublic: true, requiresJoinApproval: false } as const;

/** Whether the viewer's asking to join does something: for whoever is no member, not banned, and may know of it. */
export function canJoinCommunity(community: CommunityRecord, membership: Membership): boolean {
  return canAskToJoin(community) && !isMember(membership) && !isBannedFrom(membership);
}

export function canEditCommunity(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'EDIT_COMMUNITY');
}

export function canDeleteCommunity(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'DELETE_COMMUNITY');
}

export function canAddMembers(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'ADD_COMMUNITY_USER');
}

/** Whom of them, their rank says. */
export function canRemoveMembers(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'REMOVE_COMMUNITY_USER');
}

/** Bans and takes bans back; whom, their rank says. */
export function canBanMembers(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'BAN_COMMUNITY_USER');
}

/** Grants and takes away roles of members; which ones, the viewer's rank says. */
export function canAssignCommunityRoles(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'ASSIGN_COMMUNITY_USER_ROLE');
}
