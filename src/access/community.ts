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

/**
 * Whether the viewer has a permission in this community, by a role there or in the network. A ban suspends the roles
 * there.
 */
export function mayInCommunity(viewer: Viewer, membership: Membership, permission: Permission): boolean {
  if (mayInNetwork(viewer, permission)) return true;
  return isMember(membership) && membership!.permissions.includes(permission);
}

/**
 * Public communities are visible to everybody, private ones to members, deleted ones to users who may delete
 * communities in the network.
 */
export function canSeeCommunity(viewer: Viewer, community: CommunityRecord, membership: Membership): boolean {
  if (mayInNetwork(viewer, 'EDIT_COMMUNITY')) return !community.isDeleted || mayInNetwork(viewer, 'DELETE_COMMUNITY');
  if (community.isDeleted) return false;
  return community.isPublic || isMember(membership);
}

/** As {@link canSeeCommunity}, for posts, members and stories: hidden from banned users. */
export function canSeeInsideCommunity(viewer: Viewer, community: CommunityRecord, membership: Membership): boolean {
  return (
    canSeeCommunity(viewer, community, membership) &&
    (!isBannedFrom(membership) || mayInNetwork(viewer, 'EDIT_COMMUNITY'))
  );
}

/** Whether users who are no members may request to join: the community is public or discoverable. */
export function acceptsJoinRequests(community: CommunityRecord): boolean {
  return !community.isDeleted && (community.isPublic || community.isDiscoverable);
}

/**
 * Whether recommendations may show the record of a community: also a private one that the viewer does not see but can
 * request to join.
 */
export function canDiscoverCommunity(viewer: Viewer, community: CommunityRecord, membership: Membership): boolean {
  return canSeeCommunity(viewer, community, membership) || canJoinCommunity(community, membership);
}

/** Whether joining takes effect immediately instead of creating a join request. */
export function isOpenToJoin(community: CommunityRecord): boolean {
  return community.isPublic && !community.requiresJoinApproval;
}

/** As {@link isOpenToJoin}, as a filter for the transaction that joins. */
export const OPEN_TO_JOIN = { isPublic: true, requiresJoinApproval: false } as const;

/** Whether the viewer may join or request to join. */
export function canJoinCommunity(community: CommunityRecord, membership: Membership): boolean {
  return acceptsJoinRequests(community) && !isMember(membership) && !isBannedFrom(membership);
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

/** Removes members up to their own rank. */
export function canRemoveMembers(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'REMOVE_COMMUNITY_USER');
}

/** Bans and unbans users up to their own rank. */
export function canBanMembers(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'BAN_COMMUNITY_USER');
}

/** Assigns roles to members, up to their own rank. */
export function canAssignCommunityRoles(viewer: Viewer, membership: Membership): boolean {
  return mayInCommunity(viewer, membership, 'ASSIGN_COMMUNITY_USER_ROLE');
}
