import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { lockFor } from '../../lock-for.ts';
import { initializeMarkers } from '../../marker/positions/initialize-markers.ts';
import { lockUsers } from '../../user/lookup/lock-users.ts';
import { type ChannelUsersEventName, channelUsersEvents } from '../channel-events.ts';
import { CHANNEL_MEMBER, type ChannelWithMembers, channelUserRecord, invalidateChannel } from '../new-channel.ts';

type Standing = ChannelUserRecord['membership'];

interface MembersChange {
  channel: ChannelRecord;
  users: UserRecord[];
  /** How they stand afterwards; null when nothing is to change. Throws what is not allowed. */
  next: (before: ChannelUserRecord | null, user: UserRecord) => Standing | null;
  /** As what it is told. */
  event: ChannelUsersEventName;
}

/**
 * Changes how users stand to a channel, and its `memberCount` with them, in one transaction of a few commands however
 * many they are. They are read in the transaction that writes them: of two changes at once the later one starts again.
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
  { channel, users, next, event }: MembersChange,
): Promise<ChannelWithMembers> {
  const { networkId, channelId } = channel;
  const { channels, channelUsers } = context.store.collections;
  const userIds = users.map(({ userId }) => userId);
  const found = await channelUsers.find({ networkId, channelId, userId: { $in: userIds } }, { session }).toArray();
  const known = new Map(found.map((member) => [member.userId, member]));
  const standings = users.map((user) => {
    const before = known.get(user.userId) ?? null;
    return { user, before, standing: next(before, user) };
  });
  const coming = standings.filter(({ standing }) => standing === 'member').map(({ user }) => user.userId);
  // Who is renamed or deleted at the same time does not come in as they were.
  const claimed = coming.length > 0 ? await lockUsers(context, session, networkId, coming) : [];
  const present = new Map(claimed.map((user) => [user.userId, user]));
  const planned = await Promise.all(
    standings.map(async ({ user: named, before, standing }) => {
      const user = present.get(named.userId) ?? named;
      return { before, after: standing ? await memberAs(context, { channel, user, before, standing }) : null };
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
  await channelUsers.bulkWrite(
    changing.map(({ after: { _id, networkId: _network, channelId: _channel, userId, ...fields } }) => ({
      updateOne: {
        filter: { networkId, channelId, userId },
        update: { $set: fields, $setOnInsert: { _id } },
        upsert: true,
      },
    })),
    { session },
  );
  const by = joining.length - changing.filter(({ before }) => before !== null && isMember(before)).length;
  const counted = await channels.findOneAndUpdate(
    { networkId, channelId, isDeleted: false },
    { $inc: { memberCount: by }, $set: { updatedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  if (!counted) throw notFound('Channel');
  const changedIds = changing.map(({ after }) => after.userId);
  await append(context, session, channelUsersEvents(event, counted, changedIds));
  return { channel: counted, channelUsers: planned.flatMap(({ before, after }) => after ?? before ?? []) };
}

/** Membership begins anew each time, without the roles. A mute goes on: nobody ends theirs by leaving and coming back. */
async function memberAs(
  context: Context,
  {
    channel,
    user,
    before,
    standing,
  }: { channel: ChannelRecord; user: UserRecord; before: ChannelUserRecord | null; standing: Standing },
): Promise<ChannelUserRecord> {
  const fresh = await channelUserRecord(context, {
    channel,
    user,
    roles: standing === 'member' ? [CHANNEL_MEMBER] : [],
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
    membership: standing,
    isBanned: standing === 'banned',
  };
}

function isMember({ membership, isDeleted }: ChannelUserRecord): boolean {
  return membership === 'member' && !isDeleted;
}

/**
 * Only channels that stand for themselves: the members of a community's channel follow the community, those of a
 * conversation are what it is.
 * @throws {OperationError} BAD_REQUEST
 */
export function checkHasOwnMembers({ communityId, type }: ChannelRecord): void {
  if (communityId !== null) {
    throw new OperationError('BAD_REQUEST', { message: 'The members of this channel are those of its community.' });
  }
  if (type === 'conversation') {
    throw new OperationError('BAD_REQUEST', { message: 'The members of a conversation never change.' });
  }
}

/** The viewer's own user record, for operations on their own membership. */
export async function viewerUser(context: Context): Promise<UserRecord> {
  const user = await context.load.users.load(viewerOf(context).userId);
  if (!user) throw notFound('User');
  return user;
}
