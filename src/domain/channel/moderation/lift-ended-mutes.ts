import type { Context } from '../../../context.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { bySystem, groupIds, type Lift, MAX_ENDED } from '../../ban/ended.ts';
import { channelEvent, channelUsersEvents } from '../channel-events.ts';
import { actsOnMembers } from '../members/acts-on-members.ts';

/** What the audit log records of the end of a mute, as of an unmute. */
const UNMUTED = { details: { mutePeriod: 0 } };

/** A time that has passed, as the partial indexes of mutes require it. */
const hasPassed = (context: Context) => ({ $gt: new Date(0), $lte: context.now() });

/** Stores the ends of mutes of members: one transaction for each channel. */
export async function liftEndedMemberMutes(context: Context, networkId: string): Promise<Lift[]> {
  const ended = await context.store.collections.channelUsers
    .find({ networkId, mutedUntil: hasPassed(context) }, { projection: { _id: 0, channelId: 1, userId: 1 } })
    .limit(MAX_ENDED)
    .toArray();
  return groupIds(ended, ({ channelId }) => channelId).map(([channelId, userIds]) => ({
    ids: { channelId },
    run: () => unmuteMembers(context, { networkId, channelId, userIds }),
  }));
}

interface Ended {
  networkId: string;
  channelId: string;
  userIds: string[];
}

async function unmuteMembers(context: Context, { networkId, channelId, userIds }: Ended): Promise<void> {
  const { channels, channelUsers } = context.store.collections;
  await context.store.transaction(
    async (session) => {
      const ended = { networkId, channelId, userId: { $in: userIds }, mutedUntil: hasPassed(context) };
      const found = await channelUsers.find(ended, { session }).toArray();
      if (found.length === 0) return;
      const channel = await channels.findOne({ networkId, channelId, isDeleted: false }, { session });
      const muted = { ...ended, isMuted: true, muteTimeout: hasPassed(context) };
      const unmuted = { isMuted: false, muteTimeout: null, updatedAt: context.now() };
      const withoutTerms = { $unset: { mute: true, mutedUntil: true } } as const;
      const members = await channelUsers.find({ ...muted, membership: 'member' }, { session }).toArray();
      await channelUsers.updateMany(muted, { $set: unmuted, ...withoutTerms }, { session });
      // A gateway of an older release changes a mute without its terms, which then say nothing about it.
      await channelUsers.updateMany(ended, withoutTerms, { session });
      if (!channel) return;
      const ids = members.filter(({ isDeleted }) => !isDeleted).map(({ userId }) => userId);
      const acts = actsOnMembers(channel, ids, UNMUTED).map((act) => ({ ...act, action: 'muteChannelMembers' }));
      await recordAudit(context, session, acts, bySystem(networkId));
      await appendEvents(context, session, channelUsersEvents('channel.setMutedUsers', channel, ids));
    },
    { key: `channel ${networkId} ${channelId}` },
  );
}

/** Stores the ends of mutes of channels: each in a transaction with its event and its entry of the audit log. */
export async function liftEndedChannelMutes(context: Context, networkId: string): Promise<Lift[]> {
  const ended = await context.store.collections.channels
    .find({ networkId, muteTimeout: hasPassed(context) }, { projection: { _id: 0, channelId: 1 } })
    .limit(MAX_ENDED)
    .toArray();
  return ended.map(({ channelId }) => ({
    ids: { channelId },
    run: () => unmuteChannel(context, networkId, channelId),
  }));
}

async function unmuteChannel(context: Context, networkId: string, channelId: string): Promise<void> {
  await context.store.transaction(
    async (session) => {
      const channel = await context.store.collections.channels.findOneAndUpdate(
        { networkId, channelId, muteTimeout: hasPassed(context) },
        { $set: { isMuted: false, muteTimeout: null, updatedAt: context.now() } },
        { session, returnDocument: 'before' },
      );
      if (!channel?.isMuted || channel.isDeleted) return;
      const act = { action: 'muteChannel', subjectType: 'channel', subjectId: channelId, channelId } as const;
      await recordAudit(context, session, [{ ...act, ...UNMUTED }], bySystem(networkId));
      await appendEvents(context, session, [channelEvent('channel.setMuted', channel)]);
    },
    { key: `channel ${networkId} ${channelId}` },
  );
}
