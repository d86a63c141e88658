import type { Viewer } from '../context.ts';
import type { ChannelRecord, ChannelUserRecord } from '../store/records/chat.ts';
import { mayInNetwork } from './network.ts';
import type { Permission } from './permissions.ts';

type Membership = ChannelUserRecord | null;

/** Types that anybody in the network may find and read without joining; the others only their members. */
const OPEN_TYPES: ReadonlySet<ChannelRecord['type']> = new Set(['standard', 'broadcast', 'community', 'live']);

export function isChannelMember(membership: Membership): boolean {
  return membership?.membership === 'member';
}

/** Whether the viewer holds a permission in this channel, by a role there or in the network. */
export function mayInChannel(viewer: Viewer, membership: Membership, permission: Permission): boolean {
  if (mayInNetwork(viewer, permission)) return true;
  return isChannelMember(membership) && membership!.permissions.includes(permission);
}

/** Whether a mute of a channel or member holds now: it may have run out. */
export function isMutedNow(muted: { isMuted: boolean; muteTimeout: Date | null }, now: Date): boolean {
  return muted.isMuted && (muted.muteTimeout === null || muted.muteTimeout > now);
}

/** Members see their channel; others see it when it is public; the banned see the record but nothing inside. */
export function canSeeChannel(viewer: Viewer, channel: ChannelRecord, membership: Membership): boolean {
  if (mayInNetwork(viewer, 'EDIT_CHANNEL')) return true;
  if (channel.isDeleted) return false;
  return isChannelMember(membership) || (channel.isPublic && OPEN_TYPES.has(channel.type));
}

/** Feeds, messages and members: as the channel itself, but not for the banned. */
export function canSeeInsideChannel(viewer: Viewer, channel: ChannelRecord, membership: Membership): boolean {
  if (mayInNetwork(viewer, 'EDIT_CHANNEL')) return true;
  return canSeeChannel(viewer, channel, membership) && membership?.membership !== 'banned';
}

/** Whether the viewer reads deleted messages and deletes those of others. */
export function canModerateMessages(viewer: Viewer, membership: Membership): boolean {
  return mayInChannel(viewer, membership, 'DELETE_MESSAGE');
}

/** Whether the viewer grants and takes away roles of the channel's members; which ones, `rankOfViewer` says. */
export function canAssignChannelRoles(viewer: Viewer, membership: Membership): boolean {
  return mayInChannel(viewer, membership, 'ASSIGN_CHANNEL_USER_ROLE');
}
