import type { ClientSession } from 'mongodb';
import type { ChannelPlace } from '../../../access/message.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { bannedOn, withoutEndedBan } from '../../../store/ended-bans.ts';
import type { BanTerms } from '../../../store/records/ban.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { together } from '../../../store/transaction.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { banAct } from '../../ban/ban-terms.ts';
import { lockFor } from '../../lock-for.ts';
import { initializeMarkers } from '../../marker/positions/initialize-markers.ts';
import { lockUsers } from '../../user/lookup/lock-users.ts';
import { type ChannelUsersEventName, channelUsersEvents } from '../channel-events.ts';
import { CHANNEL_MEMBER, type ChannelWithMembers, channelUserRecord, invalidateChannel } from '../new-channel.ts';
import { actsOnMembers } from './acts-on-members.ts';
import { requireChannelRight } from './require-channel-right.ts';

type MembershipStatus = ChannelUserRecord['membership'];

interface MembersChange {
  channel: ChannelRecord;
  users: UserRecord[];
  /** Their membership afterwards; null leaves it unchanged. Throws for a change that is not allowed. */
  next: (before: ChannelUserRecord | null, user: UserRecord) => MembershipStatus | null;
  /** The event to append. */
  event: ChannelUsersEventName;
  /** The right by which the viewer changes memberships of others, which the audit log records. */
  right?: { place: ChannelPlace; may: (viewer: Viewer, membership: ChannelUserRecord | null) => boolean };
  /** A further check in the transaction. */
  require?: (session: ClientSession) => Promise<void>;
  /** Terms of a ban. */
  ban?: BanTerms;
  /** What must still hold of the channel: otherwise it is as if it did not exist. */
  where?: Pick<ChannelRecord, 'isPublic'> | undefined;
}

/**
 * Changes the memberships of users in a channel, and its `memberCount`, in one transaction with a constant number of
 * commands. The memberships are read in that transaction, so that of two concurrent changes the later one retries.
 */
export async function changeMembers(context: Context, change: MembersChange): Promise<ChannelWithMembers> {
  const { channel, users } = change;
  const changed = await context.transaction(
    (session) => apply(context, session, change),
    lockFor(context, 'channel', channel.channelId),
  );
  invalidateChannel(
    context,
    channel,
    users.map(({ userId }) => userId),
  );
  return changed;
}

async function apply(
  context: Context,
  session: ClientSession,
  { channel, users, next, event, right, require, ban, where }: MembersChange,
): Promise<ChannelWithMembers> {
  const { networkId, channelId } = channel;
  const { channels, channelUsers } = context.store.collections;
  const userIds = users.map(({ userId }) => userId);
  if (right) await requireChannelRight(context, session, right.place, right.may);
  await require?.(session);
  const found = await channelUsers.find({ networkId, channelId, userId: { $in: userIds } }, { session }).toArray();
  const known = new Map(found.map((member) => [member.userId, withoutEndedBan(member, context.hasPassed)]));
  const wanted = users.map((user) => {
    const before = known.get(user.userId) ?? null;
    return { user, before, status: next(before, user) };
  });
  const joiningIds = wanted.filter(({ status }) => status === 'member').map(({ user }) => user.userId);
  // A concurrent rename or deletion of one of them conflicts.
  const locked = joiningIds.length > 0 ? await lockUsers(context, session, networkId, joiningIds) : [];
  const present = new Map(locked.map((user) => [user.userId, user]));
  const planned = await Promise.all(
    wanted.map(async ({ user: named, before, status }) => {
      const user = present.get(named.userId) ?? named;
      return { before, after: status ? await memberAs(context, { channel, user, before, status, ban }) : null };
    }),
  );
  const changing = planned.flatMap(({ before, after }) => (after ? [{ before, after }] : []));
  if (changing.length === 0) return { channel, channelUsers: planned.flatMap(({ before }) => before ?? []) };

  const joining = changing.filter(({ after }) => isMember(after)).map(({ after }) => after);
  if (joining.length > 0) {
    const readToSegment = await initializeMarkers(context, session, {
      channel,
      userIds: joining.map(({ userId }) => userId),
    });
    for (const member of joining) member.readToSegment = Math.max(member.readToSegment, readToSegment);
  }
  const by = joining.length - changing.filter(({ before }) => before !== null && isMember(before)).length;
  const [counted] = await together(session, [
    () =>
      channels.findOneAndUpdate(
        { networkId, channelId, isDeleted: false, ...where },
        { $inc: { memberCount: by }, $set: { updatedAt: context.now() } },
        { session, returnDocument: 'after' },
      ),
    () =>
      channelUsers.bulkWrite(
        changing.map(({ after: { _id, networkId: _network, channelId: _channel, userId, ban: terms, ...fields } }) => ({
          updateOne: {
            filter: { networkId, channelId, userId },
            update: { ...bannedOn(terms, fields), $setOnInsert: { _id } },
            upsert: true,
          },
        })),
        { session },
      ),
  ]);
  if (!counted) throw notFound('Channel');
  const changedIds = changing.map(({ after }) => after.userId);
  if (right) await recordAudit(context, session, actsOnMembers(channel, changedIds, banAct(ban)));
  await appendEvents(context, session, channelUsersEvents(event, counted, changedIds));
  return { channel: counted, channelUsers: planned.flatMap(({ before, after }) => after ?? before ?? []) };
}

/**
 * The membership after a change. Roles of an earlier membership are dropped. Its mute is kept, so that leaving and rejoining
 * does not end it.
 */
async function memberAs(
  context: Context,
  {
    channel,
    user,
    before,
    status,
    ban,
  }: {
    channel: ChannelRecord;
    user: UserRecord;
    before: ChannelUserRecord | null;
    status: MembershipStatus;
    ban: BanTerms | undefined;
  },
): Promise<ChannelUserRecord> {
  const fresh = await channelUserRecord(context, {
    channel,
    user,
    roles: status === 'member' ? [CHANNEL_MEMBER] : [],
  });
  return {
    ...fresh,
    ...(before && {
      _id: before._id,
      createdAt: before.createdAt,
      readToSegment: before.readToSegment,
      lastMentionedSegment: before.lastMentionedSegment,
      isMuted: before.isMuted,
      muteTimeout: before.muteTimeout,
      isDeleted: before.isDeleted,
    }),
    membership: status,
    isBanned: status === 'banned',
    ...(status === 'banned' && ban && { ban }),
  };
}

function isMember({ membership, isDeleted }: ChannelUserRecord): boolean {
  return membership === 'member' && !isDeleted;
}

/** Whether members can be added, removed and banned: not in the channel of a community, and not in a conversation. */
export function hasChangeableMembers({ communityId, type }: ChannelRecord): boolean {
  return communityId === null && type !== 'conversation';
}

/**
 * Rejects channels whose members cannot be changed: those of communities and conversations.
 * @throws {OperationError} BAD_REQUEST
 */
export function assertMembersCanChange(channel: ChannelRecord): void {
  if (hasChangeableMembers(channel)) return;
  const message =
    channel.communityId === null
      ? 'The members of a conversation cannot be changed.'
      : 'The community of this channel determines its members.';
  throw new OperationError('BAD_REQUEST', { message });
}

/** The viewer's own user record, for operations on their own membership. */
export async function viewerUser(context: Context): Promise<UserRecord> {
  const user = await context.load.users.load(viewerOf(context).userId);
  if (!user) throw notFound('User');
  return user;
}
