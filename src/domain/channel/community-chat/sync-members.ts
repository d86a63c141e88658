import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import { bannedOn, hasBanEnded } from '../../../store/ended-bans.ts';
import type { BanTerms } from '../../../store/records/ban.ts';
import type { ChannelMembership, ChannelUserRecord } from '../../../store/records/chat.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../../store/records/community.ts';
import { together } from '../../../store/transaction.ts';
import { initializeMarkers } from '../../marker/positions/initialize-markers.ts';
import { permissionsByRole } from '../../role/roles-in-transaction.ts';
import { type ChannelUsersEventName, channelUsersEvents } from '../channel-events.ts';

// Applies changes of a community's members and moderators to its channel, in the same transaction. Each
// function returns the events for the caller to append.

const COMMUNITY_MODERATOR = 'community-moderator';
const CHANNEL_MODERATOR = 'channel-moderator';

type Member = Pick<CommunityUserRecord, 'userId' | 'userInternalId' | 'displayName' | 'roles'>;

interface MembersChange {
  /** Community memberships after their change. */
  members: readonly Member[];
  to: ChannelMembership;
  /** Terms of a ban. */
  ban?: BanTerms | undefined;
  /** The event that the community appends for the change; null for none. */
  event: keyof typeof CHANNEL_EVENTS | null;
  now: Date;
}

/** The event of the channel for each event of the community. */
const CHANNEL_EVENTS = {
  'community.joined': 'channel.joined',
  'community.left': 'channel.left',
  'community.userAdded': 'channel.membersAdded',
  'community.userRemoved': 'channel.membersRemoved',
  'community.userBanned': 'channel.banned',
  'community.userUnbanned': 'channel.unbanned',
} as const satisfies { [event: `community.${string}`]: ChannelUsersEventName };

/**
 * Applies joins, leaves and bans to the channel. A ban of the channel itself is kept when the user joins or leaves the
 * community.
 */
export async function syncChannelMembers(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: Pick<CommunityRecord, 'networkId' | 'channelId'>,
  { members, to, ban, event, now }: MembersChange,
): Promise<NewEvent[]> {
  const { channels, channelUsers } = context.store.collections;
  const userIds = members.map(({ userId }) => userId);
  const [channel, before] = await together(session, [
    () => channels.findOne({ networkId, channelId }, { session }),
    () => channelUsers.find({ networkId, channelId, userId: { $in: userIds } }, { session }).toArray(),
  ]);
  if (!channel) return [];
  const known = new Map(before.map((member) => [member.userId, member]));
  const changing = members.filter(({ userId }) => {
    const member = known.get(userId);
    const membership = member?.membership ?? 'none';
    const isBanned = membership === 'banned' && !hasBanEnded(member!, context.hasPassed);
    // The terms of a ban of the community replace those of a ban of the channel.
    return (membership !== to || to === 'banned') && !(isBanned && to === 'member');
  });
  if (changing.length === 0) return [];
  const joining = to === 'member' ? changing.map(({ userId }) => userId) : [];
  const [permissionsOf, readToSegment] = await together(session, [
    () => permissionsByRole(context, session, networkId, [CHANNEL_MODERATOR]),
    // New members start with nothing unread.
    () => (joining.length > 0 ? initializeMarkers(context, session, { channel, userIds: joining }) : 0),
  ]);
  const writes = changing.map((member): AnyBulkWriteOperation<ChannelUserRecord> => {
    const roles = to === 'member' ? rolesInChannel(member) : [];
    return {
      updateOne: {
        filter: { networkId, channelId, userId: member.userId },
        update: {
          ...bannedOn(ban, {
            membership: to,
            isBanned: to === 'banned',
            isDeleted: false,
            displayName: member.displayName,
            roles,
            permissions: permissionsOf(roles),
            updatedAt: now,
            ...(to === 'member' && { lastActivity: now, readToSegment }),
          }),
          $setOnInsert: {
            channelInternalId: channel._id.toHexString(),
            userInternalId: member.userInternalId,
            isMuted: false,
            muteTimeout: null,
            ...(to !== 'member' && { readToSegment: 0 }),
            lastMentionedSegment: 0,
            createdAt: now,
            ...(to !== 'member' && { lastActivity: now }),
          },
        },
        upsert: true,
      },
    };
  });
  const wereMembers = changing.filter(({ userId }) => isCounted(known.get(userId))).length;
  const by = (to === 'member' ? changing.length : 0) - wereMembers;
  await together(session, [
    () => channelUsers.bulkWrite(writes, { session }),
    () => channels.updateOne({ networkId, channelId }, { $inc: { memberCount: by } }, { session }),
  ]);
  context.load.channels.clear(channelId);
  for (const userId of userIds) context.load.channelUsers.clear([channelId, userId]);
  const changed = changing.map(({ userId }) => userId).filter((userId) => known.get(userId)?.membership !== to);
  return event ? channelUsersEvents(CHANNEL_EVENTS[event], channel, changed) : [];
}

/** Applies changes of community moderators to the channel. */
export async function syncChannelModerators(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: Pick<CommunityRecord, 'networkId' | 'channelId'>,
  { members, now }: { members: readonly Member[]; now: Date },
): Promise<NewEvent[]> {
  const { channels, channelUsers } = context.store.collections;
  const here = { networkId, channelId, membership: 'member' } as const;
  const userIds = members.map(({ userId }) => userId);
  const present = await channelUsers.find({ ...here, userId: { $in: userIds } }, { session }).toArray();
  const wanted = new Map(members.map((member) => [member.userId, member.roles.includes(COMMUNITY_MODERATOR)]));
  const changing = present.filter(({ userId, roles }) => roles.includes(CHANNEL_MODERATOR) !== wanted.get(userId));
  if (changing.length === 0) return [];
  const others = changing.flatMap(({ roles }) => roles);
  const permissionsOf = await permissionsByRole(context, session, networkId, [CHANNEL_MODERATOR, ...others]);
  await channelUsers.bulkWrite(
    changing.map(({ userId, roles: held }) => {
      const rest = held.filter((roleId) => roleId !== CHANNEL_MODERATOR);
      const roles = wanted.get(userId) ? [...rest, CHANNEL_MODERATOR] : rest;
      const changed = { roles, permissions: permissionsOf(roles), updatedAt: now };
      return { updateOne: { filter: { ...here, userId }, update: { $set: changed } } };
    }),
    { session },
  );
  for (const userId of userIds) context.load.channelUsers.clear([channelId, userId]);
  const channel = await channels.findOne({ networkId, channelId }, { session, projection: { channelId: 1, path: 1 } });
  if (!channel) return [];
  const idsWhere = (moderate: boolean) =>
    changing.map(({ userId }) => userId).filter((userId) => wanted.get(userId) === moderate);
  return [
    ...channelUsersEvents('channel.roleAdded', channel, idsWhere(true)),
    ...channelUsersEvents('channel.roleRemoved', channel, idsWhere(false)),
  ];
}

function rolesInChannel({ roles }: Member): string[] {
  return roles.includes(COMMUNITY_MODERATOR) ? ['member', CHANNEL_MODERATOR] : ['member'];
}

function isCounted(member: ChannelUserRecord | undefined): boolean {
  return member?.membership === 'member' && !member.isDeleted;
}
