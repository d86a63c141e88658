import type { Context } from '../../../context.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { bannedOn } from '../../../store/ended-bans.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { bySystem, endedBans, groupIds, type Lift, MAX_ENDED } from '../../ban/ended.ts';
import { channelUsersEvents } from '../channel-events.ts';
import { actsOnMembers } from '../members/acts-on-members.ts';

/** Stores the ends of bans from channels: one transaction for each channel. */
export async function liftEndedChannelBans(context: Context, networkId: string): Promise<Lift[]> {
  const ended = await context.store.collections.channelUsers
    .find({ ...endedBans(context, networkId), isBanned: true }, { projection: { _id: 0, channelId: 1, userId: 1 } })
    .limit(MAX_ENDED)
    .toArray();
  return groupIds(ended, ({ channelId }) => channelId).map(([channelId, userIds]) => ({
    ids: { channelId },
    run: () => lift(context, { networkId, channelId, userIds }),
  }));
}

interface Ended {
  networkId: string;
  channelId: string;
  userIds: string[];
}

async function lift(context: Context, { networkId, channelId, userIds }: Ended): Promise<void> {
  const { channels, channelUsers } = context.store.collections;
  await context.store.transaction(
    async (session) => {
      const filter = { ...endedBans(context, networkId), channelId, userId: { $in: userIds }, isBanned: true };
      const members = await channelUsers.find(filter, { session }).toArray();
      const channel = await channels.findOne({ networkId, channelId, isDeleted: false }, { session });
      if (members.length === 0) return;
      const unbanned = { membership: 'none', isBanned: false, updatedAt: context.now() } as const;
      await channelUsers.updateMany(filter, bannedOn(undefined, unbanned), { session });
      if (!channel) return;
      const ids = members.map(({ userId }) => userId);
      const acts = actsOnMembers(channel, ids).map((act) => ({ ...act, action: 'unbanChannelMembers' }));
      await recordAudit(context, session, acts, bySystem(networkId));
      await appendEvents(context, session, channelUsersEvents('channel.unbanned', channel, ids));
    },
    { key: `channel ${networkId} ${channelId}` },
  );
}
