import type { HasPassed, Viewer } from '../context.ts';
import type { ChannelRecord, ChannelUserRecord } from '../store/records/chat.ts';
import { mayInNetwork } from './network.ts';
import type { Permission } from './permissions.ts';

type Membership = ChannelUserRecord | null;

/** Types that everybody in the network may find and read without joining; others are visible to members only. */
const OPEN_TYPES: ReadonlySet<ChannelRecord['type']> = new Set(['standard', 'broadcast', 'community', 'live']);

export function isChannelMember(membership: Membership): boolean {
  return membership?.membership === 'member';
}

/** Whether the viewer holds a permission in this channel, by a role there or in the network. */
export function mayInChannel(viewer: Viewer, membership: Membership, permission: Permission): boolean {
  if (mayInNetwork(viewer, permission)) return true;
  return isChannelMember(membership) && membership!.permissions.includes(permission);
}

/** Whether a mute of a channel or member is in effect: it may have expired. */
export function isMutedNow(muted: { isMuted: boolean; muteTimeout: Date | null }, hasPassed: HasPassed): boolean {
  return muted.isMuted && (muted.muteTimeout === null || !hasPassed(muted.muteTimeout));
}

/** Whether the viewer sees every channel of the network. */
export function seesAllChannels(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'EDIT_CHANNEL');
}

/** Members see their channel, others see public ones. Banned users see the record but nothing inside. */
export function canSeeChannel(viewer: Viewer, channel: ChannelRecord, membership: Membership): boolean {
  if (seesAllChannels(viewer)) return true;
  if (channel.isDeleted) return false;
  return isChannelMember(membership) || (channel.isPublic && OPEN_TYPES.has(channel.type));
}

/**
 * Whether the viewer can read the record of a deleted channel by its id: those who may delete it, because published
 * clients read a record again after they have deleted it. Lists and the content stay hidden.
 */
export function canSeeDeletedChannel(viewer: Viewer, channel: ChannelRecord, membership: Membership): boolean {
  return channel.isDeleted && canDeleteChannel(viewer, membership);
}

/** As {@link canSeeChannel}, for feeds, messages and members: hidden from banned users. */
export function canSeeInsideChannel(viewer: Viewer, channel: ChannelRecord, membership: Membership): boolean {
  if (seesAllChannels(viewer)) return true;
  return canSeeChannel(viewer, channel, membership) && membership?.membership !== 'banned';
}

/** Whether the viewer reads deleted messages and deletes those of others. */
export function canModerateMessages(viewer: Viewer, membership: Membership): boolean {
  return mayInChannel(viewer, membership, 'DELETE_MESSAGE');
}

/** As {@link canModerateMessages}, in every channel of the network. */
export function moderatesAllMessages(viewer: Viewer): boolean {
  return mayInNetwork(viewer, 'DELETE_MESSAGE');
}

/** Whether the viewer assigns roles to members of the channel, up to their own rank. */
export function canAssignChannelRoles(viewer: Viewer, membership: Membership): boolean {
  return mayInChannel(viewer, membership, 'ASSIGN_CHANNEL_USER_ROLE');
}

/** Everybody creates channels, except broadcasts: they require EDIT_CHANNEL in the network. */
export function canCreateChannel(viewer: Viewer, type: ChannelRecord['type']): boolean {
  return type !== 'broadcast' || mayInNetwork(viewer, 'EDIT_CHANNEL');
}

/** Conversations have no moderators: each member may edit them. */
export function canEditChannel(viewer: Viewer, channel: ChannelRecord, membership: Membership): boolean {
  if (mayInChannel(viewer, membership, 'EDIT_CHANNEL')) return true;
  return channel.type === 'conversation' && isChannelMember(membership);
}

/** Whether the viewer deletes the channel for everybody. */
export function canDeleteChannel(viewer: Viewer, membership: Membership): boolean {
  return mayInChannel(viewer, membership, 'CLOSE_CHANNEL');
}

/** Actions on members, with the permissions that allow them. */
const MEMBER_ACTIONS = {
  add: ['ADD_CHANNEL_USER'],
  remove: ['REMOVE_CHANNEL_USER'],
  ban: ['BAN_USER_FROM_CHANNEL', 'BAN_CHANNEL_USER'],
  mute: ['MUTE_USER_INSIDE_CHANNEL', 'MUTE_CHANNEL_USER'],
} as const satisfies { [action: string]: readonly Permission[] };

export type MemberAction = keyof typeof MEMBER_ACTIONS;

/** Whether the viewer may do this to members, up to their own rank. */
export function canChangeMembers(viewer: Viewer, membership: Membership, action: MemberAction): boolean {
  return MEMBER_ACTIONS[action].some((permission) => mayInChannel(viewer, membership, permission));
}
